import { lstat, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The folder in `.git` of the objects that a checkout shares with its mirror. */
export const sharedObjects = "errand-shared";

/**
 * Makes the `.git` of a checkout ready to be mounted in parts. Its objects, which are hard links into the mirror, get a folder of
 * their own beside the new ones, where git finds them as an alternate: an agent cannot write into files that other runs have too.
 * Does nothing where that was done. A crash in between leaves a `.git` without objects, which the end of the turn makes anew.
 */
export async function prepareGit(git: string): Promise<void> {
  const objects = join(git, "objects");
  const shared = join(git, sharedObjects);
  if (!(await isFolder(git)) || !(await isFolder(objects))) return;
  if (!(await isFolder(join(git, "hooks")))) await replace(join(git, "hooks"), () => mkdir(join(git, "hooks")));
  if (await isFolder(shared)) return;
  await replace(shared, () => rename(objects, shared));
  await mkdir(join(objects, "info"), { recursive: true });
  await mkdir(join(objects, "pack"));
  await writeFile(join(objects, "info/alternates"), `../${sharedObjects}\n`);
}

async function replace(path: string, make: () => Promise<void>): Promise<void> {
  await rm(path, { force: true });
  await make();
}

/** Whether a folder lies there, and no symbolic link to one. */
export async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isDirectory() === true;
}
