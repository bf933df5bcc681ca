import { lstat, readFile, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { isWithin } from "#lib/is-within.ts";
import type { AllowedTargets } from "#lib/outbound/allowed-targets.ts";
import { type GitContext, GitError, type GitOptions, readGit } from "./git.ts";
import { utf8 } from "./left-out.ts";
import { parseSource, type Source } from "./parse-source.ts";
import { checkFolder, gitDirectoriesOf } from "./source-folder.ts";
import { checkHost } from "./source-host.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** A source that may be fetched now. */
export interface LocatedSource extends Source {
  /** Arguments before the git command. */
  settings: readonly string[];
  /** Environment of the git command: the credential, if it needs one. */
  variables: Readonly<Record<string, string>>;
}

/** Authorization header for a source's server, whose address is `base`; or why there is none, as a sentence that may be shown. */
export type SourceCredential = { header: string; hint?: string; base?: string } | { lacks: string };

/** Looks for a credential; with `refused`, the header that the server has just refused, for its successor. */
export type FindCredential = (refused?: string) => Promise<SourceCredential>;

/** The present state of a source. */
export interface RemoteRefs {
  /** The branch of its HEAD, null if HEAD is detached or its branch has no commits. */
  headBranch: string | null;
  /** The commit of HEAD, null if there is none. */
  headCommit: string | null;
  /** Names without refs/heads/, sorted. */
  branches: string[];
  /** Object ids of branches and tags by full name, one character a byte because names need not be UTF-8. */
  refs: Map<string, string>;
  /** That of the refs; without any of them, git's usual one. */
  objectFormat: "sha1" | "sha256";
}

/** A source, and its state when it was read. */
export type ReadSource = { source: LocatedSource; refs: RemoteRefs };

/** The report about a repository in the response to POST …/repos. */
export interface SourceReport {
  /** The branch runs begin from when they name none; null for an empty repository or a detached HEAD. */
  defaultBranch: string | null;
  /** At most 1,000, sorted. */
  branches: string[];
  /** Whether it has no commit that a run could begin from. */
  empty: boolean;
}

/** Options for inspecting a source. */
export interface SourceOptions extends GitContext {
  /** Errand's data folder: no source may be in it, because it has the repositories of every organization. */
  dataDir: string;
  /** Private addresses allowed for sources; default none. */
  allowed?: AllowedTargets | undefined;
  /** Asked if a web server refuses to be read without a credential; left out: there is none. */
  findCredential?: FindCredential | undefined;
  /** Default 60,000. */
  timeoutMs?: number | undefined;
}

const branchesMax = 1000;

/**
 * For folders of this machine: git drops its settings before it starts the serving side, which would then refuse a repository of
 * another user. A shell runs the value, so it has no variable parts. Strict: only the given folder is tried as the git directory.
 */
export const localUploadPack = "--upload-pack=git -c 'safe.directory=*' upload-pack --strict";

/**
 * Checks that the source is a git repository that can be fetched, and reads its state. Bare repositories are allowed. Throws
 * WorkspaceError `source_invalid`, `source_not_found`, `source_not_repository`, `source_unreadable` or `source_unavailable` with a
 * message that names the source and the problem.
 */
export async function inspectSource(source: string, options: SourceOptions): Promise<SourceReport> {
  const { source: located, refs } = await readSource(source, options);
  if (located.local) await refusePartialClone(located, options);
  return {
    defaultBranch: chooseDefaultBranch(refs),
    branches: refs.branches.slice(0, branchesMax),
    empty: refs.headCommit === null && refs.branches.length === 0,
  };
}

/**
 * Locates a source and reads its refs. The credential goes only to a web server that refuses to be read without it, and then
 * belongs to the located source. Throws as inspectSource does.
 */
export async function readSource(given: string, options: SourceOptions): Promise<ReadSource> {
  const source = await locateSource(given, options);
  try {
    return { source, refs: await listRemoteRefs(source, options) };
  } catch (error) {
    options.signal?.throwIfAborted();
    if (options.findCredential === undefined || !wantsCredential(source, error)) throw error;
    return await readAuthorized(source, options, options.findCredential, { error });
  }
}

/** Reads with the credential, and once more with its successor if the server refuses it, as it does one that has ended. */
async function readAuthorized(
  source: LocatedSource,
  options: SourceOptions,
  find: FindCredential,
  refused: { error: unknown; header?: string },
): Promise<ReadSource> {
  const fail = (why: string) =>
    new WorkspaceError("source_unavailable", `"${source.shown}" cannot be read ${why}`, { cause: refused.error });
  const credential = await find(refused.header);
  if ("lacks" in credential) throw fail(`without a credential. ${credential.lacks}`);
  const { header, hint = "Enter a new token under Integrations." } = credential;
  const advice = `with the integration's credential, which is not accepted or lacks permission. ${hint}`;
  if (header === refused.header) throw fail(advice);
  const known = { ...source, variables: credentialVariables(source, header) };
  try {
    return { source: known, refs: await listRemoteRefs(known, options) };
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!wantsCredential(source, error)) throw error;
    if (refused.header !== undefined) throw fail(advice);
    return await readAuthorized(source, options, find, { error, header });
  }
}

/** Whether a web server refused an unauthenticated caller, in one of the ways in which servers do so. */
function wantsCredential({ location }: LocatedSource, error: unknown): boolean {
  const cause = error instanceof WorkspaceError ? error.cause : null;
  if (!/^https?:/i.test(location) || !(cause instanceof GitError)) return false;
  return /returned error: 4(?:01|03|04|29)|Authentication failed|could not read (?:Username|Password)|not found/.test(
    cause.stderr,
  );
}

/** The credential is in the environment of one command only, in no file and no command line. */
export function credentialVariables({ location }: Source, authorization: string | null): Record<string, string> {
  if (authorization === null) return {};
  return {
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: `http.${new URL(location).origin}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: ${authorization}`,
  };
}

/** The branch a run begins from when it names none; null for an empty repository or a detached HEAD. */
export function chooseDefaultBranch(refs: RemoteRefs): string | null {
  if (refs.headCommit !== null) return refs.headBranch;
  // If HEAD names a branch without commits: the branch that people most likely mean.
  return ["main", "master"].find((name) => refs.branches.includes(name)) ?? refs.branches[0] ?? null;
}

/**
 * Parses the source. For a folder, finds its git directory and passes its real path to git, so that a link changed afterwards
 * makes no difference. For an address, checks the host ({@link checkHost}). Call it before each fetch. Throws as inspectSource
 * does.
 */
export async function locateSource(given: string, options: SourceOptions): Promise<LocatedSource> {
  const source = parseSource(given);
  if (!source.local) return { ...source, settings: [], variables: {}, ...(await checkHost(source, options)) };
  const dataDir = resolve(options.dataDir);
  const folders = [dataDir, await realpath(dataDir).catch(() => dataDir)];
  const refuseWithin = (path: string) => {
    if (!folders.some((folder) => isWithin(path, folder))) return;
    throw new WorkspaceError(
      "source_invalid",
      `"${source.shown}" is inside Errand's data folder. Add the original repository instead.`,
    );
  };
  // The path as written first, so that the error does not reveal what exists in the data folder.
  refuseWithin(resolve(source.location));
  const real = await realpath(source.location).catch(() => null);
  if (real !== null) refuseWithin(real);
  await checkFolder(source);
  const found = await gitDirectoriesOf(source.location, real ?? source.location, options).catch((cause) => {
    throw explain(source, cause);
  });
  for (const path of found) refuseWithin(path);
  return { ...source, location: found[0] ?? "", settings: [], variables: {} };
}

/**
 * A partial clone has promises in place of files, and nothing is fetched for the service from where they are. One that has been
 * completed is allowed, unless it still has a filter: then its next fetch leaves out files again.
 */
async function refusePartialClone(source: LocatedSource, options: SourceOptions): Promise<void> {
  const { location, shown } = source;
  const { env, signal } = options;
  const names = "^(extensions\\.partialclone|remote\\..*\\.(promisor|partialclonefilter))$";
  const ask = [`--git-dir=${location}`, "config", "--name-only", "--get-regexp", names];
  const found = await readGit(ask, { cwd: location, env, signal }).catch((error) => {
    // No such setting.
    if (error instanceof GitError && error.exitCode === 1) return "";
    throw error;
  });
  if (found === "" || (!/\.partialclonefilter$/m.test(found) && (await isComplete(source, options)))) return;
  const what = `"${shown}" is a partial clone (git clone --filter), which lacks files, now or after its next fetch`;
  const complete = `run "git fetch --refetch --no-filter" in it and remove its setting remote.*.partialclonefilter`;
  const why = `${what}. Add the repository it was cloned from, or complete it: ${complete}.`;
  throw new WorkspaceError("source_unreadable", why);
}

/** Whether every object that a ref of the folder needs is there. Throws WorkspaceError if that is not known in time. */
async function isComplete(
  { location, shown }: LocatedSource,
  { env, signal, timeoutMs = 60_000 }: SourceOptions,
): Promise<boolean> {
  const list = ["rev-list", "--objects", "--all", "--quiet", "--missing=print"];
  try {
    return (await readGit([`--git-dir=${location}`, ...list], { cwd: location, env, signal, timeoutMs })) === "";
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (error.code !== "git_timeout") return false;
    const what = `"${shown}" is a partial clone (git clone --filter), and listing its objects took more than ${timeoutMs / 1000} s`;
    const settings = "remove its settings extensions.partialClone and remote.*.promisor";
    const why = `${what}. Add the repository it was cloned from, or, if it lacks no files, ${settings}.`;
    throw new WorkspaceError("source_unreadable", why, { cause: error });
  }
}

/** Reads HEAD, branches and tags of a source from {@link locateSource}. Throws as inspectSource does. */
export async function listRemoteRefs(
  source: LocatedSource,
  options: Pick<SourceOptions, "env" | "signal" | "timeoutMs">,
): Promise<RemoteRefs> {
  const how = { ...options, cwd: tmpdir(), variables: source.variables, timeoutMs: options.timeoutMs ?? 60_000 };
  try {
    const head = source.local ? await readHead(source.location) : null;
    const output = head === null ? await askRemote(source, how) : await listFolder(source.location, head, how);
    return refsIn(output);
  } catch (cause) {
    throw explain(source, cause);
  }
}

function askRemote(source: LocatedSource, how: GitOptions): Promise<string> {
  const upload = source.local ? [localUploadPack] : [];
  const wanted = ["ls-remote", "--symref", ...upload, "--", source.location, "HEAD", "refs/heads/*", "refs/tags/*"];
  return readGit([...source.settings, ...wanted], how, "latin1");
}

/** What {@link askRemote} says of a folder, by one process instead of three. */
async function listFolder(location: string, head: string, how: GitOptions): Promise<string> {
  const list = ["for-each-ref", "--format=%(objectname)%09%(refname)", "refs/heads/", "refs/tags/"];
  const listed = await readGit([`--git-dir=${location}`, ...list], how, "latin1");
  const name = /^ref: (.*)$/.exec(head)?.[1];
  if (name === undefined) return `${head}\tHEAD\n${listed}`;
  const line = listed.split("\n").find((one) => one.endsWith(`\t${name}`));
  return line === undefined ? listed : `${head}\tHEAD\n${line.split("\t")[0]}\tHEAD\n${listed}`;
}

/** The text of a folder's HEAD; null where git must be asked, as for a link or for references that are in no files. */
async function readHead(location: string): Promise<string | null> {
  const path = join(location, "HEAD");
  if (!(await lstat(path).catch(() => null))?.isFile()) return null;
  const head = (await readFile(path, "latin1").catch(() => "")).trim();
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64}|ref: refs\/heads\/(?!\.invalid$)[^\n]+)$/.test(head) ? head : null;
}

/** Reads lines of `git ls-remote --symref`. */
function refsIn(output: string): RemoteRefs {
  const refs: RemoteRefs = {
    ...{ headBranch: null, headCommit: null, branches: [], objectFormat: "sha1" },
    refs: new Map(),
  };
  for (const line of output.split("\n")) {
    const [value = "", name = ""] = line.split("\t");
    if (/^[0-9a-f]{64}$/.test(value)) refs.objectFormat = "sha256";
    if (name === "HEAD" && value.startsWith("ref: refs/heads/"))
      refs.headBranch = utf8(value.slice("ref: refs/heads/".length));
    else if (name === "HEAD" && !value.startsWith("ref: ")) refs.headCommit = value;
    // The commit of a tag, "^{}", is not a reference.
    else if (/^refs\/(?:heads|tags)\//.test(name) && !value.startsWith("ref: ") && !name.endsWith("^{}")) {
      refs.refs.set(name, value);
      if (name.startsWith("refs/heads/")) refs.branches.push(utf8(name.slice("refs/heads/".length)));
    }
  }
  refs.branches.sort();
  return refs;
}

function explain(source: Source, cause: unknown): unknown {
  if (!(cause instanceof GitError) || cause.code === "git_missing") return cause;
  if (/not appear to be a git repository|not a git repository/.test(cause.stderr) && source.local) {
    return new WorkspaceError("source_not_repository", `"${source.shown}" is not a git repository.`, { cause });
  }
  if (cause.code === "git_timeout") {
    return new WorkspaceError("source_unavailable", `"${source.shown}" did not answer in time.`, { cause });
  }
  if (/returned error: 30[12378]$/m.test(cause.stderr)) {
    const why = "its server redirects to another address. Enter that address.";
    return new WorkspaceError("source_unavailable", `"${source.shown}" cannot be read: ${why}`, { cause });
  }
  const why = cause.message.replace(/^git (ls-remote|rev-parse|for-each-ref): /, "");
  return new WorkspaceError("source_unavailable", `"${source.shown}" cannot be read as a git repository: ${why}`, {
    cause,
  });
}
