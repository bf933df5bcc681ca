import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { removeTree } from "./remove-checkout.ts";
import { runProgram } from "./run-program.ts";
import { isFolder, sharedAlternates, sharedObjects } from "./shared-objects.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** Generous, because an agent may make millions of folders. */
export const findMs = 120_000;

/**
 * Leaves only files and folders in a `.git` in which an agent or setup commands have worked, and no alternates except the objects
 * that its checkout shares with the mirror. In the wall a symbolic link or an alternate leads nowhere; the service and its git
 * would follow it into other repositories, and wait for a pipe forever. A `commondir` is removed too, because with it git, even a
 * person's, would use the settings of another folder. Files and folders are made readable for their owner. Does nothing if `.git`
 * is not a folder. No process of the run may be at work. Throws WorkspaceError, or the signal's reason.
 */
export async function makeGitPlain(git: string, signal?: AbortSignal): Promise<void> {
  if (!(await isFolder(git))) return;
  const { isDone } = await runProgram("find", [git, ...plainGitRules], {
    limitMs: findMs,
    env: findEnvironment(),
    signal,
  });
  if (!isDone) throw new WorkspaceError("checkout_damaged", "The checkout's .git could not be read.");
  await restoreAlternates(git);
}

/** What `find` does with what is in a `.git`. */
export const plainGitRules = [
  ...["-type", "d", "!", "-perm", "-700", "-execdir", "chmod", "u+rwx", "{}", ";"],
  ...["-o", "!", "-type", "d", "!", "-type", "f", "-execdir", "rm", "-f", "--", "{}", "+"],
  ...["-o", "-type", "f", "!", "-perm", "-400", "-execdir", "chmod", "u+r", "{}", "+"],
];

/** The service's own, without folders that have no fixed place: `find` runs nothing in a folder while PATH has one. */
export function findEnvironment(): NodeJS.ProcessEnv {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  return { ...process.env, PATH: folders.join(delimiter) };
}

/** The part of {@link makeGitPlain} that comes after `find`. */
export async function restoreAlternates(git: string): Promise<void> {
  await removeTree(join(git, "commondir"));
  const objects = join(git, "objects");
  const info = join(objects, "info");
  if (!(await isFolder(objects))) return;
  await removeTree((await isFolder(info)) ? join(info, "alternates") : info);
  if (!(await isFolder(join(git, sharedObjects)))) return;
  await mkdir(info, { recursive: true });
  await writeFile(join(info, "alternates"), sharedAlternates);
}
