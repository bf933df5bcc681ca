import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { appendFile, open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGunzip, gzipSync } from "node:zlib";
import { UsageError } from "./usage-error.ts";

const start = "errand backup sha256 ";
const lineOf = (digest: string) => `${start}${digest}\n`;
const lineBytes = lineOf("0".repeat(64)).length;

/**
 * Appends a line with the archive's SHA-256, in a compressed archive inside its compression. tar ignores what comes after the end of
 * an archive.
 */
export async function appendChecksum(file: string): Promise<void> {
  const { digest, isGzip } = await readThrough(file, 0);
  const line = Buffer.from(lineOf(digest));
  await appendFile(file, isGzip ? gzipSync(line) : line);
}

/**
 * Whether an archive ends with its SHA-256: null if it ends with none, as those of older versions do. Throws a UsageError if it
 * cannot be decompressed.
 */
export async function matchesChecksum(file: string): Promise<boolean | null> {
  const { digest, end } = await readThrough(file, lineBytes).catch((error: Error) => {
    throw new UsageError(`${file} is not a complete backup: ${error.message}`);
  });
  if (end === lineOf(digest)) return true;
  return end.startsWith(start) ? false : null;
}

/** The digest of all but the last `endBytes` of the uncompressed archive, and these. */
async function readThrough(file: string, endBytes: number) {
  const isGzip = (await firstBytes(file)).equals(Buffer.from([0x1f, 0x8b]));
  const hash = createHash("sha256");
  let end = Buffer.alloc(0);
  const read = async (pieces: AsyncIterable<Buffer>) => {
    for await (const piece of pieces) {
      const held = Buffer.concat([end, piece]);
      const at = Math.max(0, held.length - endBytes);
      hash.update(held.subarray(0, at));
      end = Buffer.from(held.subarray(at));
    }
  };
  const source = createReadStream(file, { highWaterMark: 1024 * 1024 });
  await (isGzip ? pipeline(source, createGunzip(), read) : pipeline(source, read));
  return { digest: hash.digest("hex"), end: end.toString("latin1"), isGzip };
}

async function firstBytes(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
