import { constants } from "node:fs";
import { open } from "node:fs/promises";

/**
 * The text of a regular file of at most `bytesMax` bytes; null for anything else: a symbolic link, a pipe that never answers, a
 * larger file, none. For paths that an agent may have made.
 */
export async function readPlain(
  path: string | Buffer,
  bytesMax: number,
  encoding: BufferEncoding = "utf8",
): Promise<string | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  if (file === null) return null;
  try {
    const found = await file.stat();
    return found.isFile() && found.size <= bytesMax ? await file.readFile(encoding) : null;
  } finally {
    await file.close();
  }
}
