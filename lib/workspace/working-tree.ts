import { lstat, mkdir, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { copyIndex, readIndex } from "./agent-index.ts";
import type { Checkout } from "./checkout.ts";
import type { Environment } from "./environment.ts";
import { lacksSpace } from "./full-disk.ts";
import { GitError, readGit, runGit } from "./git.ts";
import { findHiddenChanges } from "./hidden-files.ts";
import { excludeSettings, takeInnerRepositories, within } from "./inner-repositories.ts";
import { chooseTooLarge, type LeftOut, misencodedMax } from "./left-out.ts";

/** A checkout's files, written as a git tree. */
export interface WorkingTree {
  /** Object id of the tree; the object is in the checkout's own object folder. */
  tree: string;
  /** What is in the checkout, but not in the tree. */
  leftOut: LeftOut[];
}

/** Options of reading the files. */
export interface WorkingTreeOptions {
  checkout: Checkout;
  /** Variables from agentVariables. */
  variables: Record<string, string>;
  /** The commit whose tree replaces a missing or broken index; null for none. */
  head: string | null;
  /** What makeCheckoutPlain found. */
  repositories: readonly string[];
  env: Environment;
  signal?: AbortSignal | undefined;
}

/**
 * Variables with which git uses the checkout's files and objects, but only the mirror's settings, references and hooks: nothing in
 * the agent's `.git` can make a program run. New objects go to the checkout's object folder.
 */
export function agentVariables(checkout: Checkout, index: string): Record<string, string> {
  return {
    GIT_DIR: checkout.mirror,
    GIT_WORK_TREE: checkout.path,
    GIT_INDEX_FILE: index,
    GIT_OBJECT_DIRECTORY: join(checkout.path, ".git/objects"),
    GIT_ALTERNATE_OBJECT_DIRECTORIES: quotePath(join(checkout.mirror, "objects")),
  };
}

/**
 * Writes all files not ignored by .gitignore or .git/info/exclude as a tree; the index of `variables` then matches the files.
 * See takeInnerRepositories about repositories inside. Files that are too large, and those that git refuses (a path like `.GIT/config`, a file
 * it may not read, one without the encoding that .gitattributes demands), are left out; the rest is written. If git cannot name all
 * those of a wrong encoding, all changed files with a demanded encoding are left out as unchecked. Throws GitError.
 */
export async function writeWorkingTree(options: WorkingTreeOptions): Promise<WorkingTree> {
  const index = options.variables.GIT_INDEX_FILE ?? "";
  await rm(index, { force: true });
  if (await copyIndex(join(options.checkout.path, ".git/index"), index)) {
    try {
      return await addAll(options);
    } catch (error) {
      // The agent's index is broken, or in a form that needs the agent's settings.
      if (!(error instanceof GitError) || error.exitCode === null) throw error;
      await rm(index, { force: true });
    }
  }
  if (options.head !== null) await runGit(["read-tree", options.head], inCheckout(options));
  return addAll(options);
}

async function addAll(options: WorkingTreeOptions): Promise<WorkingTree> {
  const git = { ...inCheckout(options), timeoutMs: 600_000 };
  await mkdir(join(options.checkout.path, ".git/objects"), { recursive: true });
  const excludes = await excludeSettings(join(options.checkout.path, ".git"));
  const index = await readIndex(git);
  const unread = new Set<string>();
  // `add` would take a nested repository as a submodule that nobody can fetch, and fail on one without commits.
  const inner = await takeInnerRepositories({
    ...{ git, checkout: options.checkout.path, base: options.checkout.baseCommit, repositories: options.repositories },
    ...{ links: index.links, paths: index.paths, listChanged: () => listChanged(options, excludes, unread) },
  });
  const { changed } = inner;
  const tooLarge = await chooseTooLarge(options.checkout.path, changed);
  const without = new Set([...inner.without, ...tooLarge.keys()]);
  const { isAll, unchecked } = await addAllBut(options, excludes, { changed, without });
  const refused = isAll ? [] : await listRefused(options, excludes, without);
  const whyOf = (path: string) => (unchecked.has(path) ? "unchecked" : "refused");
  if (inner.links !== "") {
    await runGit(["update-index", "-z", "--index-info"], { ...git, stdin: Buffer.from(inner.links, "latin1") });
  }
  const hidden = await findHiddenChanges(git, index.hidden);
  const tree = await readGit(["write-tree"], git);
  const leftOut = [
    ...[...tooLarge].map(([path, bytes]): LeftOut => ({ path: utf8(path), why: "too_large", bytes })),
    ...refused.map((path): LeftOut => ({ path: utf8(path), why: whyOf(path), bytes: null })),
    ...[...unread].map((path): LeftOut => ({ path, why: "unread", bytes: null })),
    ...hidden.map((path): LeftOut => ({ path: utf8(path), why: "hidden", bytes: null })),
    ...index.unmerged.map((path): LeftOut => ({ path: utf8(path), why: "conflict", bytes: null })),
    ...inner.told,
  ];
  return { tree, leftOut };
}

/**
 * Adds the files that git does not refuse; `isAll` is false if there are others. `unchecked` are those that were not tried, because
 * git cannot name all files of a wrong encoding.
 */
async function addAllBut(
  options: WorkingTreeOptions,
  excludes: string[],
  { changed, without }: { changed: string[]; without: Set<string> },
): Promise<{ isAll: boolean; unchecked: ReadonlySet<string> }> {
  const git = { ...inCheckout(options), timeoutMs: 600_000 };
  const add = [...excludes, "add", "--all", "--ignore-errors"];
  const named = ["--pathspec-from-file=-", "--pathspec-file-nul"];
  let left = new Set<string>();
  for (let areNamed = true; ; ) {
    const excluded = [...without, ...left].map((path) => `:(top,exclude,literal)${path.replace(/\/$/, "")}`);
    const stdin = Buffer.from([":(top)", ...excluded].join("\0"), "latin1");
    const unchecked = areNamed ? new Set<string>() : left;
    try {
      await (excluded.length === 0 ? runGit(add, git) : runGit([...add, ...named], { ...git, stdin }));
      return { isAll: left.size === 0, unchecked };
    } catch (error) {
      if (!(error instanceof GitError) || lacksSpace(error)) throw error;
      // git exits with 1 if it passed over single files, but ends at one whose encoding is wrong.
      if (error.exitCode === 1) return { isAll: false, unchecked };
      const path = findMisencoded(error.stderr);
      if (!areNamed || (path === null && !lacksEncoding.test(error.stderr))) throw error;
      // git prints some names otherwise than they are, and none for an encoding without a value.
      areNamed = path !== null && !left.has(path) && left.size < misencodedMax;
      if (areNamed && path !== null) left.add(path);
      else left = new Set(await chooseEncoded(options, changed));
    }
  }
}

/** What git says about the attribute `working-tree-encoding` without a value. */
const lacksEncoding = /^fatal: true\/false are no valid working-tree-encodings$/m;

/** The files for which .gitattributes demands an encoding. What is no longer a file has none. */
async function chooseEncoded(options: WorkingTreeOptions, paths: string[]): Promise<string[]> {
  const { stdout } = await runGit(["check-attr", "-z", "--stdin", "working-tree-encoding"], {
    ...inCheckout(options),
    stdin: Buffer.from(paths.join("\0"), "latin1"),
    outputBytesMax: 1024 * 1024 * 1024,
  });
  // For each path: the path, the attribute's name, its value.
  const words = stdout.toString("latin1").split("\0");
  const chosen: string[] = [];
  for (const [at, path] of paths.entries()) {
    if (["unspecified", "unset", ""].includes(words[3 * at + 2] ?? "")) continue;
    if ((await lstat(placeOf(options.checkout, path)).catch(() => null))?.isFile() === true) chosen.push(path);
  }
  return chosen;
}

/** The path that git names when a file does not have the encoding that .gitattributes demands; null in other messages. */
function findMisencoded(stderr: string): string | null {
  const path = /^fatal: [a-zA-Z ]+ '(.+)' (?:if encoded as|from) /ms.exec(stderr)?.[1];
  return path === undefined ? null : Buffer.from(path, "utf8").toString("latin1");
}

/** Files that still differ from the index after everything was added. */
async function listRefused(options: WorkingTreeOptions, excludes: string[], without: Set<string>): Promise<string[]> {
  const changed = await listChanged(options, excludes);
  return changed.filter((path) => !path.endsWith("/") && !without.has(path) && within(path, without).length === 0);
}

/** Files that are new or differ from the index; nested repositories with "/" at the end. `unread`: folders that git passed over. */
async function listChanged(
  options: WorkingTreeOptions,
  excludes: string[],
  unread = new Set<string>(),
): Promise<string[]> {
  const git = { ...inCheckout(options), outputBytesMax: 512 * 1024 * 1024 };
  const list = async (...command: string[]) => {
    const { stdout, stderr } = await runGit([...excludes, ...command], git);
    // git cuts long messages off.
    for (const [, path = ""] of stderr.matchAll(/^warning: could not open directory '(.+?)(?:': [^']*)?$/gm)) {
      unread.add(path);
    }
    return splitNul(stdout);
  };
  const others = ["ls-files", "-z", "--others", "--exclude-standard"];
  try {
    return [...new Set(await list(...others, "--modified"))];
  } catch (error) {
    if (!(error instanceof GitError) || !lacksEncoding.test(error.stderr)) throw error;
    // git cannot convert such a file to compare it. By size and time alone it can, but it trusts the times only of files older than
    // the index.
    const later = new Date(Date.now() + 60_000);
    await utimes(options.variables.GIT_INDEX_FILE ?? "", later, later);
    const modified = await list("diff-files", "-z", "--name-only", "--ignore-submodules=all");
    return [...new Set([...(await list(...others)), ...modified])];
  }
}

const utf8 = (path: string) => Buffer.from(path, "latin1").toString("utf8");

/** Where a path of one character a byte is. */
const placeOf = (checkout: Checkout, path: string) =>
  Buffer.concat([Buffer.from(`${checkout.path}/`), Buffer.from(path, "latin1")]);

function inCheckout(options: WorkingTreeOptions) {
  const { checkout, variables, env, signal } = options;
  return { cwd: checkout.path, variables, env, signal };
}

/** One character a byte: names need not be UTF-8. */
function splitNul(output: Buffer): string[] {
  return output
    .toString("latin1")
    .split("\0")
    .filter((part) => part !== "");
}

/** The list of object folders is split at ":" unless quoted as in C. */
function quotePath(path: string): string {
  return `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}
