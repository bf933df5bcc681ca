import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { moveAgentHead, readAgentHead } from "./agent-head.ts";
import type { Checkout } from "./checkout.ts";
import { type CheckoutGit, withCheckoutGit } from "./checkout-git.ts";
import { type CommitIdentity, commitTree } from "./commit-tree.ts";
import { listChangedSubmodules } from "./folder-changes.ts";
import { lacksSpace, removeUnfinished } from "./full-disk.ts";
import { type GitContext, type GitOptions, readGit, runGit, unlessFailed } from "./git.ts";
import { findIgnoredWork } from "./hidden-files.ts";
import { findLeftBehind } from "./left-behind.ts";
import { type LeftOut, leftOutAs } from "./left-out.ts";
import { listPlainLfsFiles } from "./lfs-files.ts";
import { type MeasuredBefore, type MeasuredChanges, measureChanges } from "./measure-changes.ts";
import { findCommit, isAncestorOf, keptCommit, withMirrorLock } from "./mirror.ts";
import { emptyTreeLike } from "./object-id.ts";
import { rewrittenRef } from "./run-record.ts";
import { writeWorkingTree } from "./working-tree.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** How the work of a turn is kept. */
export interface FinishOptions extends GitContext {
  checkout: Checkout;
  /** Commit message; NUL is dropped, empty becomes "Work of run <id>". */
  message: string;
  /** Author of the commit, and the key that signs it; by default Errand, unsigned. */
  identity?: CommitIdentity | undefined;
  /** Longest diff in bytes, default 20 MB. */
  diffBytesMax?: number | undefined;
  /** The branch that the work is for; by default the one that it began from. */
  baseBranch?: string | null | undefined;
  /** The run's changes as measured before; by default never. */
  before?: MeasuredBefore | null | undefined;
  /** Fetches the mirror. Called if the agent made commits: it may have merged some of the source that the mirror lacks. */
  fetch?: (() => Promise<unknown>) | undefined;
}

/** What a turn left behind. */
export interface KeptWork extends MeasuredChanges {
  /** The commit `errand/run-<id>` of the mirror now stands at; null while the branch has no commit. */
  commit: string | null;
  /** Why the commit is not signed although it should be; null otherwise. */
  unsigned: string | null;
  /**
   * Whether the agent's own commits are not in the branch, because commits or files they need are nowhere here, as after
   * `git fetch --depth 1`. Their files are in the branch.
   */
  flattened: boolean;
  /** Work that is in neither commit nor diff; it stays on disk. */
  leftOut: LeftOut[];
  /** Files of the run's work that are in the commit as they are, although .gitattributes gives them to Git LFS; at most 1,000. */
  plainLfsFiles: string[];
}

/**
 * Commits everything in the checkout on top of whatever HEAD is there (the run's branch, another branch, detached: the
 * agent's own commits are kept as they are), points `errand/run-<id>` of the mirror at it, whatever it pointed at
 * before, puts the checkout on that branch, and measures the run's changes. No new commit is made when
 * nothing is left to commit. The agent must have ended. Can be repeated.
 *
 * Nothing the agent wrote into `.git` is executed or obeyed: git only ever runs with the mirror as its repository.
 * Throws WorkspaceError `checkout_missing` or, if the disk is full, `disk_full`; or GitError.
 */
export async function commitAndKeep(options: FinishOptions): Promise<KeptWork> {
  await checkFolder(options.checkout);
  try {
    return await commitFiles(options);
  } catch (cause) {
    if (!lacksSpace(cause)) throw cause;
    await removeUnfinished(join(options.checkout.path, ".git/objects"));
    throw new WorkspaceError("disk_full", "The disk of Errand's data folder is full.", { cause });
  }
}

function commitFiles(options: FinishOptions): Promise<KeptWork> {
  const { checkout, env, signal } = options;
  return withCheckoutGit(checkout, { name: "finishing", env, signal }, async (opened) => {
    const { git, work, repositories, setAside } = opened;
    const directory = join(checkout.path, ".git");
    const head = await readAgentHead(directory);
    const before = await keptCommit(checkout);
    const isKept = head === null || head === before;
    if (!isKept) await options.fetch?.();
    const ofAgent = isKept ? head : await findCommit(checkout.path, head, git);
    const flattened = !isKept && ofAgent !== null && !(await isComplete(ofAgent, { ...git, timeoutMs: 600_000 }));
    const parent = (flattened ? null : ofAgent) ?? before ?? checkout.baseCommit;
    const kept = await writeWorkingTree({ checkout, git, head: parent, repositories });
    const { tree } = kept;
    const message = options.message.replaceAll("\0", "").trim() || `Work of run ${checkout.runId}`;
    const { identity = { name: null, email: null, key: null } } = options;
    const { commit, unsigned } = kept.isUnchanged
      ? { commit: parent, unsigned: null }
      : await commitTree({ git, folder: work, tree, parent, message, identity });
    const isNew = commit !== null && commit !== before && (await keepInMirror(checkout, opened, { commit, parent }));
    const left = { path: directory, commit, flattened: flattened ? ofAgent : null };
    const behind = await findLeftBehind(git, checkout, left);
    const ignored = await findIgnoredWork(git, { isNew, hasRules: opened.hidesAll });
    const changedSubmodules = await listChangedSubmodules(checkout, git);
    const index = git.variables.GIT_INDEX_FILE ?? "";
    await moveAgentHead({ git: directory, branch: checkout.branch, commit, index });
    const { mirror, runId } = checkout;
    const { baseBranch, before: measured = null, diffBytesMax: bytesMax } = options;
    const range = { mirror, runId, baseBranch, head: commit, before: measured, bytesMax, env, signal };
    const changes = await measureChanges(range);
    const since = changes.base ?? emptyTreeLike(tree);
    const plainLfsFiles = commit === null || commit === since ? [] : await listPlainLfsFiles(since, commit, git);
    const told = new Set(kept.leftOut.map(({ path, why }) => `${why} ${path}`));
    const isUntold = ({ path, why }: LeftOut) => !told.has(`${why} ${path}`);
    const leftOut = [
      ...kept.leftOut,
      ...changedSubmodules.filter(isUntold),
      ...setAside.map((path) => leftOutAs("rules", path)),
      ...behind.filter(isUntold),
      ...ignored.map((path): LeftOut => ({ path, why: "ignored", bytes: null })),
    ];
    return { ...changes, commit, unsigned, flattened, leftOut, plainLfsFiles };
  });
}

async function checkFolder(checkout: Checkout): Promise<void> {
  // A symbolic link in its place would lead git into a folder that does not belong to the run.
  const real = await realpath(checkout.path).catch(() => null);
  if (real !== checkout.path || !(await lstat(real)).isDirectory()) {
    throw new WorkspaceError("checkout_missing", `The checkout of run ${checkout.runId} is gone.`);
  }
}

/** Whether everything that a commit needs is in the mirror or the checkout. */
async function isComplete(commit: string, options: GitOptions): Promise<boolean> {
  const list = ["rev-list", "--objects", "--quiet", commit, "--not", "--all"];
  return (await runGit(list, options).catch(unlessFailed)) !== null;
}

/**
 * Takes the commit with all objects it needs into the mirror. The objects are hashed again on the way in and their links are
 * checked before the branch moves, so a damaged or forged object never gets past the checkout. False if the branch was there.
 */
async function keepInMirror(
  checkout: Checkout,
  { git, work }: CheckoutGit,
  { commit, parent }: { commit: string; parent: string | null },
): Promise<boolean> {
  const { env, signal, variables } = git;
  const inMirror = { cwd: checkout.mirror, env, signal, timeoutMs: 600_000 };
  const branch = `refs/heads/${checkout.branch}`;
  return withMirrorLock({ path: checkout.mirror, signal }, async () => {
    const listed = await readGit(["for-each-ref", "--format=%(objectname) %(refname)"], inMirror);
    const refs = listed.split("\n").map((line) => line.split(" "));
    const before = refs.find(([, name]) => name === branch)?.[0] ?? null;
    if (before === commit) return false;
    const wanted = [commit, ...refs.flatMap(([id = ""]) => (id === "" ? [] : [`^${id}`]))].join("\n");
    const base = join(work, `pack-${randomUUID()}`);
    await runGit(["pack-objects", "--quiet", "--non-empty", "--revs", base], { ...inMirror, variables, stdin: wanted });
    for (const name of await readdir(work)) {
      if (!name.endsWith(".pack")) continue;
      const given = { ...inMirror, stdin: createReadStream(join(work, name)) };
      await runGit(["index-pack", "--stdin"], given).catch(async (error) => {
        if (lacksSpace(error)) await removeUnfinished(join(checkout.mirror, "objects"));
        throw error;
      });
    }
    await runGit(["rev-list", "--objects", "--quiet", commit, "--not", "--all"], inMirror);
    const isOnTop = before === null || before === parent;
    if (!isOnTop && !(await isAncestorOf(checkout.mirror, before, commit, { env, signal }))) {
      await runGit(["update-ref", rewrittenRef(checkout.runId, before), before], inMirror);
    }
    await runGit(["update-ref", branch, commit], inMirror);
    return true;
  });
}
