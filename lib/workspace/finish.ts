import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, mkdir, readdir, realpath, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { moveAgentHead, readAgentHead } from "./agent-head.ts";
import { baseOf, type Checkout } from "./checkout.ts";
import { type CommitIdentity, commitTree } from "./commit-tree.ts";
import { emptyTreeLike } from "./empty-tree.ts";
import type { Environment } from "./environment.ts";
import { lacksSpace, removeUnfinished } from "./full-disk.ts";
import { GitError, type GitOptions, readGit, runGit } from "./git.ts";
import { makeGitDirectory } from "./git-directory.ts";
import { findLeftBehind } from "./left-behind.ts";
import type { LeftOut } from "./left-out.ts";
import { listPlainLfsFiles } from "./lfs-files.ts";
import { type MeasuredBefore, type MeasuredChanges, measureChanges } from "./measure-changes.ts";
import { findCommit, isAncestorOf, withMirrorLock } from "./mirror.ts";
import { makeCheckoutPlain } from "./plain-checkout.ts";
import { removeTree } from "./remove-checkout.ts";
import { rewrittenRef } from "./rewritten-refs.ts";
import { listChangedSubmodules } from "./submodule-changes.ts";
import { agentVariables, writeWorkingTree } from "./working-tree.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** How the work of a turn is kept. */
export interface FinishOptions {
  checkout: Checkout;
  /** Commit message; NUL is dropped, empty becomes "Work of run <id>". */
  message: string;
  /** Author of the commit, and the key that signs it; by default Errand, unsigned. */
  identity?: CommitIdentity | undefined;
  env: Environment;
  signal?: AbortSignal | undefined;
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

async function commitFiles(options: FinishOptions): Promise<KeptWork> {
  const { checkout, env, signal } = options;
  const { repositories, setAside } = await makeCheckoutPlain(checkout.path);
  await repairGitDirectory(options);
  // Beside the checkout, hence on its file system. The name is fixed, so that the next turn removes what a crash left.
  const work = join(dirname(checkout.path), `.finishing-${checkout.runId}`);
  await rm(work, { recursive: true, force: true });
  await mkdir(work);
  try {
    const index = join(work, "index");
    const variables = agentVariables(checkout, index);
    const inCheckout = { cwd: checkout.path, variables, env, signal };
    const directory = join(checkout.path, ".git");
    const head = await readAgentHead(directory);
    if (head !== null && head !== (await keptCommit(options))) await options.fetch?.();
    const ofAgent = head === null ? null : await findCommit(checkout.path, head, { variables, env, signal });
    const flattened = ofAgent !== null && !(await isComplete(ofAgent, { ...inCheckout, timeoutMs: 600_000 }));
    const parent = (flattened ? null : ofAgent) ?? (await keptCommit(options)) ?? checkout.baseCommit;
    const kept = await writeWorkingTree({ checkout, variables, head: parent, repositories, env, signal });
    const { tree } = kept;
    const before = parent === null ? emptyTreeLike(tree) : await readGit(["rev-parse", `${parent}^{tree}`], inCheckout);
    const written =
      tree === before
        ? null
        : await commitTree({
            ...{ cwd: checkout.path, variables, folder: work, tree, parent, env, signal },
            message: options.message.replaceAll("\0", "").trim() || `Work of run ${checkout.runId}`,
            identity: options.identity ?? { name: null, email: null, key: null },
          });
    const commit = written === null ? parent : written.commit;
    const isNew = commit !== null && (await keepInMirror(options, variables, work, { commit, parent }));
    const left = { path: directory, commit, isNew, flattened: flattened ? ofAgent : null, told: kept.leftOut };
    const behind = await findLeftBehind(inCheckout, checkout, left);
    await moveAgentHead({ git: directory, branch: checkout.branch, commit, index });
    const { mirror, runId } = checkout;
    const { baseBranch, before: measured = null, diffBytesMax: bytesMax } = options;
    const range = { mirror, runId, baseBranch, head: commit, before: measured, bytesMax, env, signal };
    const changes = await measureChanges(range);
    const since = changes.base ?? emptyTreeLike(tree);
    const plainLfsFiles = commit === null ? [] : await listPlainLfsFiles(since, commit, inCheckout);
    const unsigned = written?.unsigned ?? null;
    const told = new Set(kept.leftOut.map(({ path }) => path));
    const changed = (await listChangedSubmodules(checkout, { work, env, signal })).filter((path) => !told.has(path));
    const leftOut = [
      ...kept.leftOut,
      ...changed.map((path): LeftOut => ({ path, why: "submodule", bytes: null })),
      ...setAside.map((path): LeftOut => ({ path, why: "rules", bytes: null })),
      ...behind,
    ];
    return { ...changes, commit, unsigned, flattened, leftOut, plainLfsFiles };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function checkFolder(checkout: Checkout): Promise<void> {
  // A symbolic link in its place would lead git into a folder that does not belong to the run.
  const real = await realpath(checkout.path).catch(() => null);
  if (real !== checkout.path || !(await lstat(real)).isDirectory()) {
    throw new WorkspaceError("checkout_missing", `The checkout of run ${checkout.runId} is gone.`);
  }
}

/** An agent may delete `.git` or put something else there. The files still count: they get a new one. */
async function repairGitDirectory(options: FinishOptions): Promise<void> {
  const { checkout, env, signal } = options;
  const git = join(checkout.path, ".git");
  const isFolder = async (path: string) => (await lstat(path).catch(() => null))?.isDirectory() === true;
  if ((await isFolder(git)) && (await isFolder(join(git, "objects")))) return;
  await removeTree(git);
  await withMirrorLock({ path: checkout.mirror, signal }, async () => {
    const commit = (await keptCommit(options)) ?? checkout.baseCommit;
    await makeGitDirectory({ ...checkout, commit, base: baseOf(checkout), env, signal });
  });
}

/** Whether everything that a commit needs is in the mirror or the checkout. */
async function isComplete(commit: string, options: GitOptions): Promise<boolean> {
  try {
    await runGit(["rev-list", "--objects", "--quiet", commit, "--not", "--all"], options);
    return true;
  } catch (error) {
    if (error instanceof GitError && error.exitCode !== null) return false;
    throw error;
  }
}

function keptCommit({ checkout, env, signal }: FinishOptions): Promise<string | null> {
  return findCommit(checkout.mirror, `refs/heads/${checkout.branch}`, { env, signal });
}

/**
 * Takes the commit with all objects it needs into the mirror. The objects are hashed again on the way in and their links are
 * checked before the branch moves, so a damaged or forged object never gets past the checkout. False if the branch was there.
 */
async function keepInMirror(
  options: FinishOptions,
  variables: Record<string, string>,
  work: string,
  { commit, parent }: { commit: string; parent: string | null },
): Promise<boolean> {
  const { checkout, env, signal } = options;
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
