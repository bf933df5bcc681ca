import { lstat, readdir } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { isWithin } from "#lib/is-within.ts";
import { readAgentHead, readPackedRefs } from "./agent-head.ts";
import type { Checkout } from "./checkout.ts";
import type { CheckoutGit } from "./checkout-git.ts";
import { isWorktreeChanged } from "./folder-changes.ts";
import { GitError, type GitOptions, readGit } from "./git.ts";
import type { LeftOut } from "./left-out.ts";
import { hasAllOf } from "./merged-tree.ts";
import { findCommits } from "./mirror.ts";
import { isObjectId } from "./object-id.ts";
import { readPlain } from "./read-plain.ts";
import { readReplaced } from "./replaced-commits.ts";
import { wallPlaces } from "./wall.ts";

/** Most references and other starting points that are examined, and most of them that are compared with the branch's files. */
const examinedMax = 1000;
const comparedMax = 10;
const refBytesMax = 64 * 1024;
/** Worktrees that are not compared within this time, in milliseconds, count as changed. */
const worktreesMs = 60_000;
const reflogBytesMax = 4 * 1024 * 1024;

/** How a turn left its `.git`, before the checkout is put on the run's branch. */
interface LeftGit {
  /** The folder `.git`. */
  path: string;
  /** Where the run's branch is now. */
  commit: string | null;
  /** Commits of the agent that could not be kept, which is told elsewhere. */
  flattened: string | null;
}

/**
 * Work of a checkout that the run's branch does not contain: commits (other branches and references, stashed changes, worktrees, what an
 * agent left on no branch), changed files of worktrees, and an operation like a merge that was not finished. What the source has or had
 * does not count, nor do commits whose changes are in the branch in others. `git` has the mirror as its repository: the folder is the
 * agent's, and it would obey its settings.
 */
export async function findLeftBehind(
  git: CheckoutGit["git"],
  { branch, baseCommit, mirror }: Pick<Checkout, "branch" | "baseCommit" | "mirror">,
  { path, commit, flattened }: LeftGit,
): Promise<LeftOut[]> {
  const worktrees = await worktreesOf(git, path);
  const all = [...(await refsOf(path)), ...(await autostashesOf(path)), ...(await detachedOf(path)), ...worktrees];
  const known = [commit, baseCommit, flattened];
  const told = await withoutKnown(git, all, known, mirror);
  const unfinished = await unfinishedIn(path);
  return [
    // Of the run's own branch, which is moved, only the commit leads back.
    ...told.map(({ name, id, why }): LeftOut => {
      const path = name === branch ? `${name} at ${id.slice(0, 10)}` : name;
      return { path, why, bytes: null, commit: id };
    }),
    ...(unfinished === null ? [] : [{ path: unfinished, why: "unfinished", bytes: null } as const]),
  ];
}

/** Where commits begin that may be in no branch. `isChanged`: it has more than commits. */
type Start = {
  name: string;
  id: string;
  why: "branch" | "ref" | "stash" | "detached" | "worktree";
  isChanged?: boolean;
};

async function refsOf(directory: string): Promise<Start[]> {
  // Packed tags are the source's; those of remote branches are too, and a search is told as such.
  const packed = [...((await readPackedRefs(directory)) ?? [])].filter(
    ([name]) => !/^refs\/(?:remotes|tags)\//.test(name),
  );
  const found = new Map(packed);
  for (const name of await looseRefs(directory)) {
    const id = (await readPlain(join(directory, name), refBytesMax))?.trim();
    if (id !== undefined) found.set(name, id);
  }
  return [...found].slice(0, examinedMax).map(([name, id]): Start => {
    if (name === "refs/stash") return { name: "stash", id, why: "stash" };
    const isBranch = name.startsWith("refs/heads/");
    return isBranch ? { name: name.slice("refs/heads/".length), id, why: "branch" } : { name, id, why: "ref" };
  });
}

async function looseRefs(directory: string): Promise<string[]> {
  const found: string[] = [];
  const folders = ["refs"];
  for (let at = 0; at < folders.length && found.length < examinedMax && at < examinedMax; at += 1) {
    const entries = await readdir(join(directory, folders[at] ?? ""), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) (entry.isDirectory() ? folders : found).push(`${folders[at]}/${entry.name}`);
    if (at === 0) folders.push(...folders.splice(1).filter((name) => !passedOver.has(name)));
  }
  return found.slice(0, examinedMax);
}

const passedOver = new Set(["refs/remotes", "refs/bisect", "refs/rewritten", "refs/worktree"]);

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

/** Worktrees with changed files, and those at a commit without a branch. */
async function worktreesOf(git: CheckoutGit["git"], directory: string): Promise<Start[]> {
  const found: Start[] = [];
  const until = performance.now() + worktreesMs;
  for (const entry of (await readdir(join(directory, "worktrees")).catch(() => [])).slice(0, examinedMax)) {
    const place = join(directory, "worktrees", entry);
    const folder = dirname((await readPlain(join(place, "gitdir"), refBytesMax))?.trim() ?? "");
    const inCheckout = folder.replace(wallPlaces.checkout, git.cwd);
    const isInside = isWithin(folder, git.cwd) || isWithin(inCheckout, git.cwd);
    const name = isInside ? `${relative(git.cwd, isWithin(folder, git.cwd) ? folder : inCheckout)}/` : basename(folder);
    const head = await readAgentHead(directory, `worktrees/${entry}/HEAD`);
    // Behind the wall, the agent's home has another path.
    const inHome = folder.replace(wallPlaces.home, join(git.cwd, "../../homes", basename(git.cwd)));
    const places = isInside ? [folder, inCheckout] : [folder, inHome];
    // A pipe in each of them could keep the turn for as long as git may take.
    let isChanged = performance.now() > until;
    for (const there of new Set(places)) isChanged ||= await isWorktreeChanged(git, place, there, head);
    const isDetached = isObjectId((await readPlain(join(place, "HEAD"), refBytesMax))?.trim() ?? "");
    if (isChanged || isDetached) found.push({ name, id: head ?? "", why: "worktree", isChanged });
  }
  return found;
}

/**
 * Those with commits that neither the run's branch nor the source contains or contained, in whatever commits; one for each commit. All
 * if git cannot say.
 */
async function withoutKnown(
  git: GitOptions,
  starts: Start[],
  known: readonly (string | null)[],
  mirror: string,
): Promise<Start[]> {
  const asked = starts.filter(({ id }) => isObjectId(id) && !known.includes(id));
  const found = new Set(starts.filter(({ isChanged }) => isChanged));
  if (asked.length === 0) return [...found];
  const revisions = async (lines: (string | null)[], ...how: string[]) => {
    const stdin = `${lines.filter((id) => id !== null && id !== "^").join("\n")}\n`;
    return (await readGit(["rev-list", "--stdin", ...how], { ...git, stdin })).split("\n");
  };
  const [commit = null, base = null] = known;
  const without = [`^${commit ?? ""}`, `^${base ?? ""}`];
  // A tag names its commit.
  const ids = asked.map(({ id }) => id);
  const commits = await findCommits(git.cwd, ids, git);
  const replaced = (await readReplaced(mirror)).map((id) => `^${id}`);
  // What is nowhere any more is in no history either.
  const ofSource = ["--ignore-missing", "--not", "--remotes=origin", "--tags"];
  const unknown = await revisions([...commits, ...without, ...replaced], ...ofSource).catch(unlessFailed);
  const own = commit === null ? [] : await revisions([commit, `^${base ?? ""}`], `--max-count=${comparedMax}`);
  for (const [at, start] of asked.entries()) {
    const theirs = commits[at] ?? null;
    if (theirs === null || commits.indexOf(theirs) < at || unknown?.includes(theirs) === false) continue;
    let isThere = false;
    // The new files of a stash are in another commit.
    const mayBeThere = at < comparedMax && start.why !== "stash";
    for (const ours of mayBeThere ? own : []) isThere ||= await hasAllOf(ours, theirs, git);
    if (!isThere) found.add(start);
  }
  return starts.filter((start) => found.has(start));
}

function unlessFailed(error: unknown): null {
  if (error instanceof GitError) return null;
  throw error;
}

/** The operation that a `.git` says is not finished, like "git merge"; null if there is none. */
export async function unfinishedIn(directory: string): Promise<string | null> {
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
