import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The largest file that is read for signs, in bytes. A larger one counts as absent. */
export const signBytesMax = 256 * 1024;

/** The files of a commit or a folder. Paths are relative to its top, with "/" between names. */
export type SourceTree = {
  /** Regular files only: no symbolic links, no submodules. */
  paths: string[];
  /** The texts of those that are among {@link SourceTree.paths}, can be read and have at most {@link signBytesMax} bytes. */
  read(paths: string[]): Promise<Map<string, string>>;
};

/** The files of a folder on disk. `paths` may name files that are gone or are no regular files: they are not read. */
export function folderTree(folder: string, paths: string[]): SourceTree {
  const known = new Set(paths);
  return {
    paths,
    async read(wanted) {
      const texts = new Map<string, string>();
      for (const path of wanted.filter((one) => known.has(one))) {
        const file = join(folder, path);
        const there = await lstat(file).catch(() => null);
        if (there === null || !there.isFile() || there.size > signBytesMax) continue;
        const text = await readFile(file, "utf8").catch(() => null);
        if (text !== null) texts.set(path, text);
      }
      return texts;
    },
  };
}
