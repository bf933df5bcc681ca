import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { GitError } from "./git.ts";

/** git's words for a full disk, or for a quota that is used up. */
const gitWords = /No space left on device|Out of diskspace|Disk quota exceeded/;

/** True if an operation on files or a git command failed because there was no space on the disk. */
export function lacksSpace(error: unknown): boolean {
  if (error instanceof GitError) return gitWords.test(error.stderr);
  return error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
}

/**
 * Removes what git commands that failed on a full disk began to write into a folder of objects. No git may be at work there. Links
 * are not followed.
 */
export async function removeUnfinished(objects: string): Promise<void> {
  if (!(await lstat(objects).catch(() => null))?.isDirectory()) return;
  for (const folder of await readdir(objects, { withFileTypes: true })) {
    if (!folder.isDirectory()) continue;
    for (const name of await readdir(join(objects, folder.name))) {
      if (/^tmp_(?:obj|pack|idx|rev)_/.test(name)) await rm(join(objects, folder.name, name), { force: true });
    }
  }
}
