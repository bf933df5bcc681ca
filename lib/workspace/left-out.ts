import { lstat, open } from "node:fs/promises";

/**
 * Work in a checkout that is in neither branch nor diff as it is now. Why:
 * too_large, long (its path, for the system), refused (by git), unchecked (.gitattributes demands an encoding of it that cannot be checked), unread (a folder that
 * git cannot read), hidden (git was told to ignore its changes), ignored, rules (an ignore or attribute file that was too large and
 * has this name now);
 * repositories inside: remote (a copy of another one), large, elsewhere (their `.git` is not a folder), worktree, submodule
 * (changed, or at a commit that was made here), link (to a commit of a repository that `.gitmodules` does not name), history (only
 * its files are in the branch);
 * commits: branch, ref (another reference), stash, detached; unfinished: an operation like a merge, which ended with its files as
 * they were; conflict: a file that was in conflict.
 */
export interface LeftOut {
  path: string;
  why:
    | ("too_large" | "long" | "refused" | "unchecked" | "unread" | "hidden" | "ignored" | "rules")
    | ("remote" | "large" | "elsewhere" | "worktree" | "submodule" | "link" | "history")
    | ("branch" | "ref" | "stash" | "detached" | "unfinished" | "conflict");
  /** Its size if it is too large. */
  bytes: number | null;
  /** Its commit, if it has one, which tells a branch that has moved on from before. */
  commit?: string;
}

/** Maximum size of a file to commit; code hosts refuse larger ones. */
export const keptFileBytesMax = 100 * 1024 * 1024;
/** Maximum total size of a turn's changed files: git reads a gigabyte within its time limit. */
const keptBytesMax = 1024 * 1024 * 1024;
/** Maximum number of files with a wrong encoding that are found one by one in a turn: git is run again for each. */
export const misencodedMax = 100;

/** The text of a path that has one character a byte, as paths have here: they need not be UTF-8. */
export const utf8 = (path: string) => Buffer.from(path, "latin1").toString("utf8");

/** Where a path of one character a byte is in a folder. */
export const placeOf = (folder: string, path: string) =>
  Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, "latin1")]);

/** A path of one character a byte, as work left out. */
export const leftOutAs = (why: LeftOut["why"], path: string, bytes: number | null = null): LeftOut => ({
  path: utf8(path),
  why,
  bytes,
});

/** Number of files examined at a time. */
const atOnce = 256;

/**
 * The files (one character per byte, relative to the folder) that cannot be committed, with their sizes: single large ones, the
 * largest ones if the total is too large, and, with an infinite size, those whose path is too long to be looked at.
 */
export async function chooseTooLarge(folder: string, paths: readonly string[]): Promise<Map<string, number>> {
  const found = await sizesOf(folder, paths);
  const chosen = new Map(found.filter(([, size]) => size === Number.POSITIVE_INFINITY));
  const sizes = found.filter(([path]) => !chosen.has(path));
  sizes.sort(([, one], [, other]) => other - one);
  let total = sizes.reduce((sum, [, size]) => sum + size, 0);
  for (const [path, size] of sizes) {
    if (size <= keptFileBytesMax && total <= keptBytesMax) break;
    chosen.set(path, size);
    total -= size;
  }
  return chosen;
}

/** Total size of files. */
export async function bytesOf(folder: string, paths: readonly string[]): Promise<number> {
  return (await sizesOf(folder, paths)).reduce((sum, [, size]) => sum + size, 0);
}

async function sizesOf(folder: string, paths: readonly string[]): Promise<[string, number][]> {
  const sizes: [string, number][] = [];
  await using opened = await open(folder).catch(() => null);
  for (let start = 0; start < paths.length; start += atOnce) {
    const some = paths.slice(start, start + atOnce);
    const found = await Promise.all(
      some.map(async (path): Promise<[string, number]> => [path, await sizeOf(folder, path, opened?.fd ?? -1)]),
    );
    sizes.push(...found);
  }
  return sizes;
}

/** 0 if it is not a file or is gone; infinite if the system takes no path of this length. `fd` is that of the folder. */
async function sizeOf(folder: string, path: string, fd: number): Promise<number> {
  // The second is shorter than most folders.
  for (const from of [folder, `/proc/self/fd/${fd}`]) {
    try {
      const found = await lstat(placeOf(from, path));
      return found.isFile() ? found.size : 0;
    } catch (error) {
      if (Object(error).code !== "ENAMETOOLONG") return 0;
    }
  }
  return Number.POSITIVE_INFINITY;
}
