import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Largest file read for signs, in bytes. Of a larger one only its name counts. */
export const signBytesMax = 256 * 1024;

/** Files of a commit or a folder. Paths are relative to its top, with "/" between names. */
export type SourceTree = {
  /** Regular files only: no symbolic links, no submodules. */
  paths: string[];
  /** Reads those among {@link SourceTree.paths} that can be read. */
  read(paths: string[]): Promise<ReadFiles>;
};

/** Texts by path, and the paths of files larger than {@link signBytesMax} bytes. */
export type ReadFiles = { texts: Map<string, string>; tooLarge: Set<string> };

/** Files of a folder on disk. `paths` may name files that are gone or are not regular files: these are not read. */
export function folderTree(folder: string, paths: string[]): SourceTree {
  const known = new Set(paths);
  return {
    paths,
    async read(wanted) {
      const texts = new Map<string, string>();
      const tooLarge = new Set<string>();
      for (const path of wanted.filter((one) => known.has(one))) {
        const file = join(folder, path);
        const there = await lstat(file).catch(() => null);
        if (there === null || !there.isFile()) continue;
        if (there.size > signBytesMax) {
          tooLarge.add(path);
          continue;
        }
        const text = await readFile(file, "utf8").catch(() => null);
        if (text !== null) texts.set(path, text);
      }
      return { texts, tooLarge };
    },
  };
}
