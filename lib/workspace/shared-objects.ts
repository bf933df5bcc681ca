import { copyFile, link, lstat, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
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

/**
 * Links what the mirror's objects have more than those of a checkout, as a clone does; where files cannot be linked, copies it. The
 * mirror's lock must be held, and the checkout's `.git` be plain. Throws the file system's error, or the signal's reason.
 */
export async function linkObjects(
  { path, mirror }: { path: string; mirror: string },
  signal: AbortSignal | undefined,
): Promise<void> {
  const shared = join(path, ".git", sharedObjects);
  await linkFolder(join(mirror, "objects"), (await isFolder(shared)) ? shared : join(path, ".git/objects"), signal);
}

async function linkFolder(from: string, to: string, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await mkdir(to, { recursive: true });
  const [entries, names] = await Promise.all([readdir(from, { withFileTypes: true }), readdir(to)]);
  const there = new Set(names);
  const files = entries.filter((entry) => entry.isFile() && !there.has(entry.name));
  await Promise.all(files.map(({ name }) => linkFile(join(from, name), join(to, name))));
  for (const entry of entries) {
    if (entry.isDirectory()) await linkFolder(join(from, entry.name), join(to, entry.name), signal);
  }
}

/** Why a file cannot be linked although it can be copied: another disk, too many links, a file system without them. */
const unlinkable = new Set(["EXDEV", "EMLINK", "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

async function linkFile(from: string, to: string): Promise<void> {
  await link(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (!unlinkable.has(error.code ?? "")) throw error;
    // Half of a file would count as there the next time.
    const made = `${to}.errand-new`;
    try {
      await copyFile(from, made);
      await rename(made, to);
    } finally {
      await rm(made, { force: true });
    }
  });
}

async function replace(path: string, make: () => Promise<void>): Promise<void> {
  await rm(path, { force: true });
  await make();
}

/** Whether there is a folder, not a symbolic link to one. */
export async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isDirectory() === true;
}
