import { lstat, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { isObjectId, readPackedRefs } from "./agent-head.ts";
import { GitError, type GitOptions, runGit } from "./git.ts";
import { findIgnoredWork } from "./hidden-files.ts";
import { excludeSettings } from "./inner-repositories.ts";
import type { LeftOut } from "./left-out.ts";
import { readPlain } from "./read-plain.ts";

/** Most branches and other starting points that are examined. */
const examinedMax = 1000;
const refBytesMax = 64 * 1024;
const reflogBytesMax = 4 * 1024 * 1024;

/** How a turn left its `.git`, before the checkout is put on the run's branch. */
interface LeftGit {
  /** The folder `.git`. */
  path: string;
  /** Where the run's branch is now, and whether this turn moved it. */
  commit: string | null;
  isNew: boolean;
  /** Commits of the agent that could not be kept, which is told elsewhere. */
  flattened: string | null;
  /** What is told already: worktrees inside the checkout. */
  told: readonly LeftOut[];
}

/**
 * Work of a checkout that the run's branch does not contain: commits (other branches, stashed changes, worktrees, what an agent left
 * on no branch), an operation like a merge that was not finished, and ignored files of a turn that committed nothing. What the
 * source has does not count. `git` has the mirror as its repository: the folder is the agent's, and it would obey its settings.
 */
export async function findLeftBehind(
  git: GitOptions,
  { branch, baseCommit }: { branch: string; baseCommit: string | null },
  { path, commit, isNew, flattened, told: before }: LeftGit,
): Promise<LeftOut[]> {
  const known = new Set([commit, baseCommit, flattened]);
  const isTold = ({ name }: Start) =>
    before.some((one) => one.why === "worktree" && `/${one.path}`.endsWith(`/${name}/`));
  const worktrees = (await worktreesOf(path)).filter((one) => !isTold(one));
  const all = [...(await branchesOf(path)), ...(await autostashesOf(path)), ...(await detachedOf(path)), ...worktrees];
  const starts = all.filter(({ id, why }) => why === "worktree" || !known.has(id));
  const ids = new Set(starts.map(({ id }) => id).filter((id) => isObjectId(id) && !known.has(id)));
  const outside = await findOutside(git, [...ids], [commit, baseCommit]);
  const told = starts.filter(({ id, why }) => why === "worktree" || outside === null || outside.has(id));
  const unfinished = await unfinishedIn(path);
  // The agent's git writes HEAD when it switches, and Errand at the end of each turn.
  const beganMs = (await lstat(join(path, "HEAD")).catch(() => null))?.mtimeMs ?? 0;
  const ignored = isNew ? [] : await findIgnoredWork(git, await excludeSettings(path), beganMs);
  const leftOut = (name: string, why: LeftOut["why"]): LeftOut => ({ path: name, why, bytes: null });
  return [
    // Of the run's own branch, which is moved, only the commit leads back.
    ...told.map(({ name, id, why }) => leftOut(name === branch ? `${name} at ${id.slice(0, 10)}` : name, why)),
    ...(unfinished === null ? [] : [leftOut(unfinished, "unfinished")]),
    ...ignored.map((name) => leftOut(name, "ignored")),
  ];
}

/** Where commits begin that may be in no branch. */
type Start = { name: string; id: string; why: "branch" | "stash" | "detached" | "worktree" };

async function branchesOf(directory: string): Promise<Start[]> {
  const found = await readPackedRefs(directory);
  for (const name of ["refs/stash", ...(await looseRefs(directory, "refs/heads"))]) {
    const id = (await readPlain(join(directory, name), refBytesMax))?.trim();
    if (id !== undefined) found.set(name, id);
  }
  return [...found]
    .filter(([name, id]) => isObjectId(id) && (name === "refs/stash" || name.startsWith("refs/heads/")))
    .slice(0, examinedMax)
    .map(([name, id]) =>
      name === "refs/stash"
        ? { name: "stash", id, why: "stash" }
        : { name: name.slice("refs/heads/".length), id, why: "branch" },
    );
}

async function looseRefs(directory: string, folder: string): Promise<string[]> {
  const found: string[] = [];
  const folders = [folder];
  for (let at = 0; at < folders.length && found.length < examinedMax && at < examinedMax; at += 1) {
    const entries = await readdir(join(directory, folders[at] ?? ""), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) (entry.isDirectory() ? folders : found).push(`${folders[at]}/${entry.name}`);
  }
  return found.slice(0, examinedMax);
}

/** Changes that a rebase or merge put aside until its end, which it did not reach. */
async function autostashesOf(directory: string): Promise<Start[]> {
  const files = ["rebase-merge/autostash", "rebase-apply/autostash", "MERGE_AUTOSTASH"];
  const ids = await Promise.all(files.map(async (name) => readPlain(join(directory, name), refBytesMax)));
  const found = ids.flatMap((id) => id?.trim() ?? []).filter(isObjectId);
  return found.map((id) => ({ name: `autostash at ${id.slice(0, 10)}`, id, why: "stash" }));
}

/** Commits that HEAD was at, without a branch, when the agent switched to something else: its log says so. */
async function detachedOf(directory: string): Promise<Start[]> {
  const log = (await readPlain(join(directory, "logs/HEAD"), reflogBytesMax)) ?? "";
  const left = [...log.matchAll(/^[0-9a-f]+ .*\tcheckout: moving from ([0-9a-f]{40,64}) to /gm)].map(
    ([, id = ""]) => id,
  );
  return [...new Set(left)].slice(-examinedMax).map((id) => ({ name: id.slice(0, 10), id, why: "detached" }));
}

async function worktreesOf(directory: string): Promise<Start[]> {
  const names = (await readdir(join(directory, "worktrees")).catch(() => [])).slice(0, examinedMax);
  return Promise.all(
    names.map(async (name): Promise<Start> => {
      const id = (await readPlain(join(directory, "worktrees", name, "HEAD"), refBytesMax))?.trim() ?? "";
      const at = (await readPlain(join(directory, "worktrees", name, "gitdir"), refBytesMax))?.trim();
      return { name: at === undefined ? name : basename(join(at, "..")), id, why: "worktree" };
    }),
  );
}

/** Those of the commits that neither these others nor the source contain; null if git cannot say. */
async function findOutside(
  git: GitOptions,
  ids: string[],
  others: (string | null)[],
): Promise<ReadonlySet<string> | null> {
  if (ids.length === 0) return new Set();
  const stdin = [...ids, ...others.flatMap((id) => (id === null ? [] : [`^${id}`]))].join("\n");
  const list = ["rev-list", "--ignore-missing", "--stdin", "--not", "--remotes=origin", "--tags"];
  try {
    return new Set((await runGit(list, { ...git, stdin: `${stdin}\n` })).stdout.toString("latin1").split("\n"));
  } catch (error) {
    if (error instanceof GitError) return null;
    throw error;
  }
}

async function unfinishedIn(directory: string): Promise<string | null> {
  const isThere = async (name: string) => (await lstat(join(directory, name)).catch(() => null)) !== null;
  if (await isThere("rebase-apply/applying")) return "git am";
  if ((await isThere("rebase-merge")) || (await isThere("rebase-apply"))) return "git rebase";
  if (await isThere("MERGE_HEAD")) return "git merge";
  if (await isThere("CHERRY_PICK_HEAD")) return "git cherry-pick";
  if (await isThere("REVERT_HEAD")) return "git revert";
  // A conflict of several commits was committed, and the others were not taken.
  const todo = await readPlain(join(directory, "sequencer/todo"), refBytesMax);
  if (todo !== null) return /^revert /.test(todo) ? "git revert" : "git cherry-pick";
  return (await isThere("BISECT_LOG")) ? "git bisect" : null;
}
