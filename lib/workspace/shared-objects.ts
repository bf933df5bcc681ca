import { lstat, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Folder in `.git` with the objects that a checkout shares with its mirror. */
export const sharedObjects = "errand-shared";
/** The text of `objects/info/alternates` that makes git use them. */
export const sharedAlternates = `../${sharedObjects}\n`;

/**
 * Prepares the `.git` of a checkout to be mounted in parts. Its objects, which are hard links to the mirror's, move to a separate
 * folder that git uses as an alternate, so that an agent cannot write to files shared with other runs. Does nothing if done
 * before. A crash in between leaves a `.git` without objects, which the end of the turn recreates.
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
  await writeFile(join(objects, "info/alternates"), sharedAlternates);
}

async function replace(path: string, make: () => Promise<void>): Promise<void> {
  await rm(path, { force: true });
  await make();
}

/** Whether there is a folder, not a symbolic link to one. */
export async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isDirectory() === true;
}
