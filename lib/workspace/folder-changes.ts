import { lstat, realpath, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { copyIndex } from "./agent-index.ts";
import type { Checkout } from "./checkout.ts";
import { type CheckoutGit, quotePath } from "./checkout-git.ts";
import { GitError, listGit, runGit } from "./git.ts";
import type { LeftOut } from "./left-out.ts";
import { mirrorPath } from "./mirror.ts";
import { readPlain } from "./read-plain.ts";

type Git = CheckoutGit["git"];

/** What a folder's files are compared with. */
export type ComparedWith = {
  /** A file to begin with, because git then compares the size and times of unchanged files only. */
  index?: string;
  /** A commit or tree, with which the index must agree too; left out: the index, or nothing. */
  commit?: string | null;
};

/** In folders outside the checkout a pipe may wait for a writer. */
const listMs = 20_000;
const linkBytesMax = 64 * 1024;

/**
 * Files of a folder that are changed or new, without ignored ones, one character a byte; null if git cannot list them, or if these are
 * more than 2 MB of names.
 */
export async function listChangedFiles(
  git: Git,
  folder: string,
  { index, commit = null }: ComparedWith,
): Promise<string[] | null> {
  const copy = `${git.variables.GIT_INDEX_FILE}.folder`;
  const variables = { ...git.variables, GIT_WORK_TREE: folder, GIT_INDEX_FILE: copy };
  const there = { ...git, cwd: folder, variables, timeoutMs: listMs, outputBytesMax: 2 * 1024 * 1024 };
  try {
    if (index !== undefined && !(await copyIndex(index, copy)) && commit === null) return null;
    if (commit !== null) await runGit(["read-tree", "-m", commit], there);
    return await listGit(["ls-files", "-z", "--others", "--modified", "--exclude-standard"], there);
  } catch (error) {
    if (error instanceof GitError) return null;
    throw error;
  } finally {
    await rm(copy, { force: true });
  }
}

/** Whether a folder is not as it should be, or cannot be compared. */
export async function hasChanges(git: Git, folder: string, expected: ComparedWith): Promise<boolean> {
  return (await listChangedFiles(git, folder, expected))?.length !== 0;
}

/**
 * Whether a worktree has files that its commit lacks. `place`: its folder in `.git`; `folder`: its files. False if those are gone, or
 * are not its files: behind the wall it may have been in a folder that has ended.
 */
export async function isWorktreeChanged(
  git: Git,
  place: string,
  folder: string,
  commit: string | null,
): Promise<boolean> {
  const back = (await readPlain(join(folder, ".git"), linkBytesMax))?.trim() ?? "";
  if (!back.endsWith(`/.git/worktrees/${basename(place)}`)) return false;
  if ((await realpath(folder).catch(() => null)) !== folder) return false;
  return commit === null || (await hasChanges(git, folder, { index: join(place, "index"), commit }));
}

/**
 * The submodules whose files the service put into the checkout and that are no longer as it put them:
 * changed, added to, partly deleted, or not comparable.
 */
export async function listChangedSubmodules(
  { path: root, mirror, submodules = [] }: Checkout,
  git: Git,
): Promise<LeftOut[]> {
  const changed: LeftOut[] = [];
  for (const { path, commit, mirror: name } of submodules) {
    if (name === null) continue;
    const folder = join(root, path);
    // What else is in its place is committed, and a symbolic link would lead git elsewhere.
    if ((await realpath(folder).catch(() => null)) !== folder || !(await lstat(folder)).isDirectory()) continue;
    const own = mirrorPath(dirname(dirname(mirror)), name);
    const variables = { GIT_DIR: own, GIT_ALTERNATE_OBJECT_DIRECTORIES: quotePath(join(own, "objects")) };
    const ofIt = { ...git, settings: [], variables: { ...git.variables, ...variables } };
    if (await hasChanges(ofIt, folder, { commit })) changed.push({ path: `${path}/`, why: "submodule", bytes: null });
  }
  return changed;
}
