import { lstat, mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Checkout } from "./checkout.ts";
import type { GitContext, GitOptions } from "./git.ts";
import { makeGitDirectory } from "./git-directory.ts";
import { keptCommit, withMirrorLock } from "./mirror.ts";
import { makeCheckoutPlain, type PlainCheckout } from "./plain-checkout.ts";
import { removeTree } from "./remove-checkout.ts";
import { baseOf } from "./run-record.ts";
import { isFolder } from "./shared-objects.ts";

const excludeBytesMax = 1024 * 1024;

/** A checkout in which an agent has worked, as git sees it. */
export interface CheckoutGit extends PlainCheckout {
  /**
   * Options with which git uses the checkout's files and objects, but only the mirror's settings, references and hooks: nothing in the
   * agent's `.git` can make a program run. New objects go to the checkout's object folder. The index is a new one. What the agent
   * lists in `info/exclude` is ignored.
   */
  git: GitOptions & { variables: Record<string, string> };
  /** A folder for temporary files, on the checkout's file system. */
  work: string;
}

/**
 * Opens a checkout to git: makes its files plain, and its `.git` new if it is damaged, on the run's branch. `name` says what for. No
 * process of the run may be at work, and the mirror's lock must be free.
 */
export async function withCheckoutGit<T>(
  checkout: Checkout,
  { name, env, signal }: GitContext & { name: "finishing" | "looking" | "ignored" },
  use: (opened: CheckoutGit) => Promise<T>,
): Promise<T> {
  const plain = await makeCheckoutPlain(checkout.path, signal);
  await repairGitDirectory(checkout, { env, signal });
  // Beside the checkout, hence on its file system. The name is fixed, so that the next turn removes what a crash left.
  const work = join(dirname(checkout.path), `.${name}-${checkout.runId}`);
  await rm(work, { recursive: true, force: true });
  await mkdir(work);
  const variables = {
    GIT_DIR: checkout.mirror,
    GIT_WORK_TREE: checkout.path,
    GIT_INDEX_FILE: join(work, "index"),
    GIT_OBJECT_DIRECTORY: join(checkout.path, ".git/objects"),
    GIT_ALTERNATE_OBJECT_DIRECTORIES: quotePath(join(checkout.mirror, "objects")),
  };
  try {
    const settings = await excludeSettings(join(checkout.path, ".git"));
    return await use({ ...plain, work, git: { cwd: checkout.path, variables, settings, env, signal } });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** An agent may delete `.git` or put something else there. The files still count: they get a new one. */
async function repairGitDirectory(checkout: Checkout, context: GitContext): Promise<void> {
  // A symbolic link in the checkout's place would lead out of it.
  if (!(await isFolder(checkout.path))) return;
  const git = join(checkout.path, ".git");
  if ((await isFolder(git)) && (await isFolder(join(git, "objects")))) return;
  await removeTree(git);
  await withMirrorLock({ path: checkout.mirror, signal: context.signal }, async () => {
    const commit = (await keptCommit(checkout)) ?? checkout.baseCommit;
    await makeGitDirectory({ ...checkout, commit, base: baseOf(checkout), ...context });
  });
}

/** The file with the rules of one repository only, in its git directory. */
export const excludePath = (directory: string) => join(directory, "info/exclude");

/** git would look for the `info/exclude` of a git directory in the mirror. */
export async function excludeSettings(directory: string): Promise<string[]> {
  const path = excludePath(directory);
  const found = await lstat(path).catch(() => null);
  return found?.isFile() && found.size <= excludeBytesMax ? ["-c", `core.excludesFile=${path}`] : [];
}

/** The list of object folders is split at ":" unless quoted as in C. */
export function quotePath(path: string): string {
  return `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}
