import { lstat } from "node:fs/promises";

/**
 * A file of a checkout whose present content is in neither branch nor diff: it is too large, git refuses it, or .gitattributes
 * demands an encoding of it that cannot be checked.
 */
export interface LeftOut {
  path: string;
  why: "too_large" | "refused" | "unchecked";
  /** Its size if it is too large. */
  bytes: number | null;
}

/** Maximum size of a file to commit; code hosts refuse larger ones. */
export const keptFileBytesMax = 100 * 1024 * 1024;
/** Maximum total size of a turn's changed files: git reads a gigabyte within its time limit. */
const keptBytesMax = 1024 * 1024 * 1024;
/** Maximum number of files with a wrong encoding that are found one by one in a turn: git is run again for each. */
export const misencodedMax = 100;

/** Number of files examined at a time. */
const atOnce = 256;

/**
 * The files (one character per byte, relative to the folder) that are too large to commit, with their sizes: single large ones,
 * and the largest ones if the total is too large.
 */
export async function chooseTooLarge(folder: string, paths: readonly string[]): Promise<Map<string, number>> {
  const sizes: [string, number][] = [];
  for (let start = 0; start < paths.length; start += atOnce) {
    const some = paths.slice(start, start + atOnce);
    const found = await Promise.all(
      some.map(async (path): Promise<[string, number]> => [path, await sizeOf(folder, path)]),
    );
    sizes.push(...found);
  }
  sizes.sort(([, one], [, other]) => other - one);
  let total = sizes.reduce((sum, [, size]) => sum + size, 0);
  const chosen = new Map<string, number>();
  for (const [path, size] of sizes) {
    if (size <= keptFileBytesMax && total <= keptBytesMax) break;
    chosen.set(path, size);
    total -= size;
  }
  return chosen;
}

/** 0 if it is not a file or is gone. */
async function sizeOf(folder: string, path: string): Promise<number> {
  const place = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, "latin1")]);
  const found = await lstat(place).catch(() => null);
  return found?.isFile() === true ? found.size : 0;
}
