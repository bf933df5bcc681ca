import { lstat } from "node:fs/promises";

/** A file of a checkout that is in neither branch nor diff: too large, or git refuses it. */
export interface LeftOut {
  path: string;
  why: "too_large" | "refused";
  /** Its size if it is too large. */
  bytes: number | null;
}

/** Largest file that is kept; code hosts take no larger one. */
export const keptFileBytesMax = 100 * 1024 * 1024;
/** What the changed files of a turn may have together: git reads a gigabyte in the time that it is given. */
const keptBytesMax = 1024 * 1024 * 1024;

/** How many files are looked at at once. */
const atOnce = 256;

/**
 * Which of these files (one character a byte, relative to the folder) are too large to be kept, with their sizes: single ones,
 * and the largest of too many.
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

/** 0 for what is no file, or is gone. */
async function sizeOf(folder: string, path: string): Promise<number> {
  const place = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, "latin1")]);
  const found = await lstat(place).catch(() => null);
  return found?.isFile() === true ? found.size : 0;
}
