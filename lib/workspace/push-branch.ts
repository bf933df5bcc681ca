import { baseRef } from "./changes-base.ts";
import { type GitContext, GitError, readGit, runGit } from "./git.ts";
import { findCommit, findCommits, isAncestorOf, type MirrorOptions, mirrorPath } from "./mirror.ts";
import { movedMeanwhile, refusalOf } from "./push-refusal.ts";
import { withLock } from "./repository-lock.ts";
import { credentialVariables, type LocatedSource, localUploadPack, locateSource } from "./source.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** What is pushed, and where. */
export interface PushOptions extends Omit<MirrorOptions, "findCredential"> {
  repoId: number;
  runId: number;
  /** Value of an Authorization header for the source's server; null: git's own means of authentication. */
  authorization: string | null;
}

/**
 * How a push ended. `reason` says why it was refused; in that case nothing was changed. It has the remote's own words, which may
 * contain the credential.
 */
export interface PushOutcome {
  status: "pushed" | "up_to_date" | "refused";
  commit: string;
  reason: string | null;
}

/**
 * The serving side for a folder of this machine, which git starts without its settings: nothing of that repository is executed,
 * and a branch that is checked out there is refused, whatever its own settings say. git runs the value in a shell.
 */
const localReceivePack = [
  "git",
  ...[
    "safe.directory=*",
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.alternateRefsCommand=true",
    "receive.denyCurrentBranch=refuse",
    "receive.autogc=false",
    "gc.auto=0",
    "maintenance.auto=false",
  ].map((setting) => `-c '${setting}'`),
  "receive-pack",
].join(" ");

/**
 * Pushes `errand/run-<id>` of the mirror to the source. It overwrites only what it pushed itself: a missing branch is created,
 * one that is an ancestor is moved forward, and one at the commit of the last push is replaced, unless that would lose commits of
 * others that the run took over. The remote checks atomically that the branch is still where it was seen. Throws WorkspaceError
 * `branch_not_found` if there is nothing to push, and as locateSource does if the source cannot be read. A run's pushes take turns.
 */
export function pushBranch(options: PushOptions): Promise<PushOutcome> {
  const path = `${mirrorPath(options.dataDir, options.repoId)}.push-${options.runId}.lock`;
  return withLock({ path, what: "The run's branch", signal: options.signal }, () => push(options));
}

async function push(options: PushOptions): Promise<PushOutcome> {
  const { env, signal, runId } = options;
  const mirror = mirrorPath(options.dataDir, options.repoId);
  const inMirror = { cwd: mirror, env, signal };
  const branch = branchRef(runId);
  const commit = await commitToPush(mirror, runId, { env, signal });
  const source = await locateSource(options.source, options);
  const remote = { ...inMirror, variables: credentialVariables(source, options.authorization) };
  const there = await findRemoteCommit(source, branch, remote);
  if (there === commit) {
    // An earlier push may have ended before it could be noted.
    await notePushed(mirror, runId, { commit, env });
    return { status: "up_to_date", commit, reason: null };
  }
  const mayReplace = there === null || (await isOwnWork(mirror, runId, { there, commit, env, signal }));
  if (!mayReplace) {
    return { status: "refused", commit, reason: movedBefore };
  }
  const receive = source.local ? [`--receive-pack=${localReceivePack}`] : [];
  const lease = `--force-with-lease=${branch}:${there ?? ""}`;
  const target = [...receive, lease, "--", source.location, `${commit}:${branch}`];
  try {
    await runGit([...source.settings, "push", "--quiet", "--no-verify", "--no-follow-tags", ...target], {
      ...remote,
      timeoutMs: options.timeoutMs ?? 300_000,
    });
  } catch (error) {
    signal?.throwIfAborted();
    // The push may have succeeded although its response was lost.
    const now = await findRemoteCommit(source, branch, remote).catch(() => null);
    if (now !== commit) {
      return { status: "refused", commit, reason: refusalOf(error) };
    }
  }
  await notePushed(mirror, runId, { commit, env });
  return { status: "pushed", commit, reason: null };
}

/** Writes no note for a run that was deleted during the push: the note would keep its work in the mirror. */
async function notePushed(
  mirror: string,
  runId: number,
  { commit, env }: GitContext & { commit: string },
): Promise<void> {
  const isThere = async () => (await findCommit(mirror, branchRef(runId), { env })) !== null;
  const inMirror = { cwd: mirror, env };
  const drop = (ref: string) => runGit(["update-ref", "-d", ref], inMirror);
  await runGit(["update-ref", pushedRef(runId), commit], inMirror).catch(async (error) => {
    if (await isThere()) throw error;
  });
  // The removal deletes branch and note in one step, so whichever comes first, no note stays.
  const [branch, others] = await findCommits(mirror, [branchRef(runId), othersRef(runId)] as const, { env });
  // Others removed their commits, or the branch, from the source.
  if (others !== null && !(await isAncestorOf(mirror, others, commit, { env }))) await drop(othersRef(runId));
  if (branch === null) await drop(pushedRef(runId));
}

const branchRef = (runId: number) => `refs/heads/errand/run-${runId}`;

/** Ref that notes the commit last pushed for a run. */
export const pushedRef = (runId: number) => `refs/errand/pushed/run-${runId}`;

/** Ref of the newest commit that others pushed on top of a run's and that the run took over. It is never to be lost. */
export const othersRef = (runId: number) => `refs/errand/others/run-${runId}`;

async function commitToPush(mirror: string, runId: number, options: GitContext): Promise<string> {
  const names = [branchRef(runId), baseRef(runId)] as const;
  const [commit, base] = await findCommits(mirror, names, options).catch(() => [null, null]);
  if (commit !== null && commit !== base) return commit;
  throw new WorkspaceError("branch_not_found", "The run has made no commits yet.");
}

/** How git commands reach a remote. */
export type Remote = GitContext & { cwd: string; variables: Record<string, string> };

/** The commit at a branch of a remote; null if it is not there. Throws `source_unavailable`. */
export async function findRemoteCommit(source: LocatedSource, branch: string, remote: Remote): Promise<string | null> {
  const upload = source.local ? [localUploadPack] : [];
  const args = [...source.settings, "ls-remote", ...upload, "--", source.location, branch];
  const listed = await readGit(args, { ...remote, timeoutMs: 60_000 }).catch((cause) => {
    if (!(cause instanceof GitError) || cause.code === "git_missing") throw cause;
    const why = cause.message.replace(/^git ls-remote: /, "");
    throw new WorkspaceError("source_unavailable", `"${source.shown}" cannot be read: ${why}`, { cause });
  });
  // The pattern also matches the end of longer names.
  const line = listed.split("\n").find((one) => one.endsWith(`\t${branch}`));
  return line?.split("\t")[0] ?? null;
}

/** True if moving the branch from `there` to `commit` loses no commit that somebody else made. */
async function isOwnWork(
  mirror: string,
  runId: number,
  { there, commit, env, signal }: GitContext & { there: string; commit: string },
): Promise<boolean> {
  const options = { env, signal };
  const find = (name: string) => findCommit(mirror, name, options);
  if ((await find(there)) === null) return false;
  if (await isAncestorOf(mirror, there, commit, options)) return true;
  return there === (await find(pushedRef(runId))) && (await containsOthers(mirror, runId, { commit, ...options }));
}

/** Whether a commit contains all commits of others that the run took over. */
async function containsOthers(
  mirror: string,
  runId: number,
  { commit, env, signal }: GitContext & { commit: string },
): Promise<boolean> {
  const others = await findCommit(mirror, othersRef(runId), { env, signal });
  return others === null || (await isAncestorOf(mirror, others, commit, { env, signal }));
}

const movedBefore = "The branch in the remote repository has commits that this run did not make.";

/** Whether a push was refused because somebody else moved the branch. */
export function isDiverged({ status, reason }: PushOutcome): boolean {
  return status === "refused" && (reason === movedBefore || reason === movedMeanwhile);
}
