import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { awakeLimit } from "#lib/awake-timer.ts";
import { messageOf } from "#lib/message-of.ts";
import type { AllowedTargets } from "#lib/outbound/allowed-targets.ts";
import { askGit, type GitContext, GitError, type GitOptions, readGit, runGit, unlessFailed } from "./git.ts";
import { isObjectId } from "./object-id.ts";
import { noteReplaced } from "./replaced-commits.ts";
import { withLock } from "./repository-lock.ts";
import { isFolder } from "./shared-objects.ts";
import {
  chooseDefaultBranch,
  type FindCredential,
  localUploadPack,
  type ReadSource,
  type RemoteRefs,
  readSource,
} from "./source.ts";
import { WorkspaceError } from "./workspace-error.ts";

/**
 * A mirror is a bare repository of the service, `<dataDir>/mirrors/<repoId>.git`. What it holds:
 *
 *   refs/remotes/origin/*           the source's branches; every fetch overwrites and prunes them
 *   refs/tags/*                     the source's tags, likewise
 *   refs/errand/head                the source's HEAD, for sources without a branch at it
 *   refs/heads/errand/run-<id>      what runs made; fetches never touch refs/heads
 *   refs/errand/base/run-<id>       where a run began, so that it outlives a rewritten source
 *   refs/errand/pushed/run-<id>     the run's commit that was last pushed to the source, see push-branch.ts
 *   refs/errand/others/run-<id>     the newest commit of others that the run took over, see push-branch.ts
 *   refs/errand/followed/run-<id>   what others pushed on top of the run's work; its checkout is older, see followed-checkout.ts
 *   refs/errand/theirs/run-<id>     the source's branch of the run, only while it is compared, see follow-branch.ts
 *   refs/errand/rewritten/run-<id>/ commits that the run's branch left behind, see run-record.ts
 *   errand/replaced                 commits that the source had, see replaced-commits.ts
 *   errand/served/                  what git clients read, see served-mirror.ts
 *   errand/run-<id>.json            the run's record, see run-record.ts
 */
export interface MirrorOptions extends GitContext {
  dataDir: string;
  /** Letters, digits, "_" and "-", at most 64. */
  repoId: string | number;
  /** See parseSource. */
  source: string;
  /** See SourceOptions. */
  allowed?: AllowedTargets | undefined;
  findCredential?: FindCredential | undefined;
  /** For each git command, default 600,000. */
  timeoutMs?: number | undefined;
}

/** A mirror just fetched, and the state of its source at that time. */
export interface Mirror {
  path: string;
  /** The source's branches are in refs/remotes/origin/<name>. */
  branches: string[];
  /** Object ids of the source's branches and tags and of its HEAD, by their names in the mirror, one character a byte. */
  refs: ReadonlyMap<string, string>;
  defaultBranch: string | null;
  /** The commit that a run without a base branch begins from; null when the source has no commit. */
  defaultCommit: string | null;
}

/**
 * Creates or updates the mirror of a repository. Callers of one repository take turns, even across processes. Throws
 * WorkspaceError `repository_unavailable` with the source's name if it cannot be read, even if an older mirror exists: a run must
 * not silently work on stale code.
 */
export async function ensureMirror(options: MirrorOptions): Promise<Mirror> {
  const path = mirrorPath(options.dataDir, options.repoId);
  const read = await readMirrored(options);
  return withMirrorLock({ path, signal: options.signal }, () => fetchMirror(path, read, options));
}

/**
 * {@link ensureMirror} where the state of the last fetch will do: if the source cannot be read in 30 s, `fetched` is null and
 * `problem` says why.
 */
export async function fetchAgain(
  options: MirrorOptions,
): Promise<{ path: string; fetched: Mirror | null; problem: string | null }> {
  const path = mirrorPath(options.dataDir, options.repoId);
  using limit = awakeLimit(againMs, options.signal);
  try {
    return { path, fetched: await ensureMirror({ ...options, signal: limit.signal }), problem: null };
  } catch (error) {
    options.signal?.throwIfAborted();
    return { path, fetched: null, problem: messageOf(error) };
  }
}

const againMs = 30_000;

/** The absolute path of a repository's mirror, whether or not it exists. Throws RangeError for an invalid id. */
export function mirrorPath(dataDir: string, repoId: string | number): string {
  const name = String(repoId);
  if (!/^[\w-]{1,64}$/.test(name)) throw new RangeError(`"${name}" is not a repository id.`);
  return resolve(dataDir, "mirrors", `${name}.git`);
}

/** Runs `work` while nobody else changes the mirror. Throws WorkspaceError `lock_timeout` after 15 minutes of waiting. */
export async function withMirrorLock<T>(
  options: { path: string; signal?: AbortSignal | undefined },
  work: () => Promise<T>,
): Promise<T> {
  return withLock({ path: `${options.path}.lock`, signal: options.signal }, work);
}

/** {@link readSource} for a mirror: whoever changes it waits for nobody's server. Throws WorkspaceError `repository_unavailable`. */
export function readMirrored(options: Omit<MirrorOptions, "repoId">): Promise<ReadSource> {
  return readSource(options.source, { ...options, timeoutMs: undefined }).catch(unavailable);
}

/** ensureMirror for callers that have read the source and hold the mirror's lock. Does nothing if the mirror is as the source was. */
export async function fetchMirror(
  path: string,
  { source, refs }: ReadSource,
  { env, signal, timeoutMs = 600_000 }: GitContext & { timeoutMs?: number | undefined },
): Promise<Mirror> {
  const context = { env, signal };
  const list = () => listRefs(path, ["refs/remotes/origin/", "refs/tags/", headRef], context);
  try {
    const isNew = !(await isFolder(path));
    if (isNew) await createMirror({ path, objectFormat: refs.objectFormat, ...context });
    let fetched = isNew ? null : await list();
    if (fetched === null || !isCurrent(fetched, refs)) {
      const upload = source.local ? [localUploadPack] : [];
      const head = refs.headCommit === null ? [] : [`+HEAD:${headRef}`];
      const fetch = [
        "fetch",
        "--quiet",
        "--prune",
        "--no-tags",
        "--update-shallow",
        "--no-write-fetch-head",
        ...upload,
      ];
      const wanted = [
        "--",
        source.location,
        "+refs/heads/*:refs/remotes/origin/*",
        "+refs/tags/*:refs/tags/*",
        ...head,
      ];
      const git = { cwd: path, ...context, timeoutMs, variables: source.variables };
      if (fetched !== null) await noteReplaced(path, fetched, refs.refs);
      await withoutLeftLocks(path, () => runGit([...source.settings, ...fetch, ...wanted], git));
      fetched = await list();
    }
    return { path, branches: refs.branches, refs: fetched, ...findDefault(refs, fetched) };
  } catch (cause) {
    return unavailable(cause);
  }
}

function unavailable(cause: unknown): never {
  if (!(cause instanceof WorkspaceError) || cause.code === "git_missing") throw cause;
  throw new WorkspaceError("repository_unavailable", `The repository is not available: ${cause.message}`, { cause });
}

/** Whether these are the references of the source, under the names that they have in a mirror. */
function isCurrent(mirrored: ReadonlyMap<string, string>, { refs, headCommit }: RemoteRefs): boolean {
  const known = new Map(mirrored);
  const head = known.get(headRef) ?? null;
  known.delete(headRef);
  if (known.size !== refs.size || (headCommit !== null && headCommit !== head)) return false;
  return [...refs].every(([name, id]) => known.get(name.replace(/^refs\/heads\//, "refs/remotes/origin/")) === id);
}

/** Where a run without a base branch begins. Throws WorkspaceError if that was not fetched, although the source has a commit. */
function findDefault(
  refs: RemoteRefs,
  fetched: ReadonlyMap<string, string>,
): Pick<Mirror, "defaultBranch" | "defaultCommit"> {
  const defaultBranch = chooseDefaultBranch(refs);
  if (defaultBranch === null && refs.headCommit === null) return { defaultBranch, defaultCommit: null };
  const named = defaultBranch === null ? undefined : fetched.get(branchRef(defaultBranch));
  if (named !== undefined) return { defaultBranch, defaultCommit: named };
  // No branch is at HEAD, its name is not UTF-8, or it was renamed between the reading of the refs and the fetch.
  const head = refs.headCommit === null ? undefined : fetched.get(headRef);
  if (head !== undefined) return { defaultBranch: null, defaultCommit: head };
  throw new WorkspaceError("branch_not_found", "The default branch has just been renamed or deleted.");
}

const headRef = "refs/errand/head";

/** The name of a source's branch in {@link Mirror.refs}. */
export function branchRef(branch: string): string {
  return Buffer.from(`refs/remotes/origin/${branch}`).toString("latin1");
}

/** Creates an empty bare repository at `path`, atomically. */
export async function createMirror({
  path,
  objectFormat,
  ...context
}: GitContext & { path: string; objectFormat: string }): Promise<void> {
  const parent = join(path, "..");
  const made = join(parent, `.making-${randomUUID()}.git`);
  await mkdir(parent, { recursive: true });
  try {
    const init = ["init", "--quiet", "--bare", "--template=", "--initial-branch=main"];
    await runGit([...init, `--object-format=${objectFormat}`, made], { ...context, cwd: parent });
    await rename(made, path);
  } catch (error) {
    await rm(made, { recursive: true, force: true });
    throw error;
  }
}

/**
 * The references of a mirror below these prefixes, each ended by "/", or of these full names: object ids by name, one character a byte
 * because names need not be UTF-8.
 */
export async function listRefs(
  path: string,
  prefixes: readonly string[],
  options: GitContext,
): Promise<Map<string, string>> {
  const ask = ["for-each-ref", "--format=%(refname) %(objectname)", ...prefixes];
  const listed = await readGit(ask, { ...options, cwd: path }, "latin1");
  return new Map(listed === "" ? [] : listed.split("\n").map((line) => line.split(" ") as [string, string]));
}

/** The object id of a reference of a mirror, read without git; null if there is none. For names that the service gave. */
export async function findRef(path: string, name: string): Promise<string | null> {
  // In this order: git packs a reference before it removes its file.
  const loose = await readFile(join(path, name), "latin1").catch(() => null);
  const packed = loose === null ? await readFile(join(path, "packed-refs"), "latin1").catch(() => "") : "";
  const at = packed.indexOf(` ${Buffer.from(name).toString("latin1")}\n`);
  const id = loose?.trim() ?? packed.slice(packed.lastIndexOf("\n", at) + 1, Math.max(at, 0));
  return isObjectId(id) ? id : null;
}

/** The commit of the run's branch in the mirror; null if it has none. */
export function keptCommit({ mirror, branch }: { mirror: string; branch: string }): Promise<string | null> {
  return findRef(mirror, `refs/heads/${branch}`);
}

/** The commit of a full ref name or an object id, null when there is none. */
export async function findCommit(path: string, name: string, options: Omit<GitOptions, "cwd">): Promise<string | null> {
  const ask = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
  return readGit(ask, { ...options, cwd: path }).catch(unlessFailed);
}

/** {@link findCommit} for several names, by one process. */
export async function findCommits<const Names extends readonly string[]>(
  path: string,
  names: Names,
  options: Omit<GitOptions, "cwd">,
): Promise<{ [At in keyof Names]: string | null }> {
  // A name with a line feed would be read as two names, and no ref has such a name.
  const asked = names.filter((name) => !name.includes("\n"));
  const stdin = asked.map((name) => `${name}^{commit}\n`).join("");
  const listed = await readGit(["cat-file", "--batch-check=%(objectname)"], { ...options, cwd: path, stdin });
  const lines = listed.split("\n");
  const found = new Map(asked.map((name, at) => [name, lines[at] ?? ""]));
  // A line that is not an id says why the name does not lead to a commit.
  const commits = names.map((name) => /^[0-9a-f]{40,64}$/.exec(found.get(name) ?? "")?.[0] ?? null);
  return commits as { [At in keyof Names]: string | null };
}

/** Whether one commit of a mirror is the other, or one of those it was made from. */
export function isAncestorOf(mirror: string, older: string, newer: string, options: GitContext): Promise<boolean> {
  return askGit(["merge-base", "--is-ancestor", older, newer], { ...options, cwd: mirror });
}

/** The newest commit of a mirror that both were made from; null if they have none in common. */
export async function findCommonCommit(
  mirror: string,
  one: string,
  other: string,
  options: GitContext,
): Promise<string | null> {
  return (await readGit(["merge-base", one, other], { ...options, cwd: mirror, mayAnswerOne: true })) || null;
}

/** Deletes the mirror and with it the branches of its runs. Does nothing when there is none. */
export async function removeMirror(options: {
  dataDir: string;
  repoId: string | number;
  signal?: AbortSignal | undefined;
}): Promise<void> {
  const path = mirrorPath(options.dataDir, options.repoId);
  await withMirrorLock({ path, signal: options.signal }, () => rm(path, { recursive: true, force: true }));
}

/** For holders of the mirror's lock: removes lock files that a killed git left behind, which nobody uses in the meantime. */
export async function withoutLeftLocks<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const left =
      error instanceof GitError ? /Unable to create '(.+\.lock)': File exists/.exec(error.stderr)?.[1] : undefined;
    if (left === undefined || !left.startsWith(join(path, "/"))) throw error;
    await rm(left, { force: true });
    return work();
  }
}
