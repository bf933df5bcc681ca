import { lstat, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { copyIndex, type IndexEntries, listIndex, readIndex } from "./agent-index.ts";
import type { Checkout } from "./checkout.ts";
import type { CheckoutGit } from "./checkout-git.ts";
import { lacksSpace } from "./full-disk.ts";
import { askGit, GitError, listGit, readGit, runGit } from "./git.ts";
import { findHiddenChanges } from "./hidden-files.ts";
import { takeInnerRepositories, within } from "./inner-repositories.ts";
import { chooseTooLarge, type LeftOut, leftOutAs, misencodedMax, placeOf } from "./left-out.ts";
import { emptyTreeLike } from "./object-id.ts";

/** A checkout's files, written as a git tree. */
export interface WorkingTree {
  /** Object id of the tree, which is in the checkout's own object folder; if it is the tree of `head`, that commit. */
  tree: string;
  /** Whether it is the tree of `head`. */
  isUnchanged: boolean;
  /** What is in the checkout, but not in the tree. */
  leftOut: LeftOut[];
}

/** Options of reading the files. */
export interface WorkingTreeOptions extends Pick<CheckoutGit, "git" | "repositories"> {
  checkout: Checkout;
  /** The commit whose tree replaces a missing or broken index; null for none. */
  head: string | null;
}

/**
 * Writes all files not ignored by .gitignore or .git/info/exclude as a tree; the index of `git` then matches the files.
 * See takeInnerRepositories about repositories inside. Files that are too large, and those that git refuses (a path like `.GIT/config`, a file
 * it may not read, one without the encoding that .gitattributes demands), are left out; the rest is written. If git cannot name all
 * those of a wrong encoding, all changed files with a demanded encoding are left out as unchecked. Throws GitError.
 */
export async function writeWorkingTree(options: WorkingTreeOptions): Promise<WorkingTree> {
  const index = options.git.variables.GIT_INDEX_FILE ?? "";
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
  if (options.head !== null) await runGit(["read-tree", options.head], options.git);
  return addAll(options);
}

async function addAll(options: WorkingTreeOptions): Promise<WorkingTree> {
  const git = { ...options.git, timeoutMs: 600_000 };
  const entered = await dropLinks(git, new Set(options.repositories));
  const index = await readChanges(git);
  const unread = new Set(index.unread);
  // `add` would take a nested repository as a submodule that nobody can fetch, and fail on one without commits.
  const inner = await takeInnerRepositories({
    ...{ git, checkout: options.checkout.path, base: options.checkout.baseCommit, repositories: options.repositories },
    ...{ links: new Map([...index.links, ...entered]), paths: index.paths },
    listChanged: async (isAltered) =>
      isAltered || index.changed === null ? await listChanged(git, unread) : index.changed,
  });
  const { changed } = inner;
  const tooLarge = await chooseTooLarge(options.checkout.path, changed);
  const without = new Set([...inner.without, ...tooLarge.keys()]);
  const isToAdd = changed.length + without.size + index.unmerged.length > 0 || inner.links !== "";
  const { isAll, unchecked } = isToAdd
    ? await addAllBut(git, { changed, without })
    : { isAll: true, unchecked: without };
  const refused = isAll ? [] : await listRefused(git, without);
  if (inner.links !== "") {
    await runGit(["update-index", "-z", "--index-info"], { ...git, stdin: Buffer.from(inner.links, "latin1") });
  }
  const hidden = await findHiddenChanges(git, index.hidden);
  const leftOut = [
    ...[...tooLarge].map(([path, bytes]) =>
      bytes === Number.POSITIVE_INFINITY ? leftOutAs("long", path) : leftOutAs("too_large", path, bytes),
    ),
    ...refused.map((path) => leftOutAs(unchecked.has(path) ? "unchecked" : "refused", path)),
    ...[...unread].map((path): LeftOut => ({ path, why: "unread", bytes: null })),
    ...hidden.map((path) => leftOutAs("hidden", path)),
    ...index.unmerged.map((path) => leftOutAs("conflict", path)),
    ...inner.told,
  ];
  const { head } = options;
  const same = ["diff-index", "--cached", "--quiet", "--ita-invisible-in-index"];
  if (head !== null && (await askGit([...same, head], git))) return { tree: head, isUnchanged: true, leftOut };
  const tree = await readGit(["write-tree"], git);
  return { tree, isUnchanged: head === null && tree === emptyTreeLike(tree), leftOut };
}

/**
 * Removes from the index, and returns, links to repositories that are in the checkout: to compare one with its repository, git
 * reads files of it that may be without bound, pipes or broken.
 */
async function dropLinks(git: CheckoutGit["git"], repositories: ReadonlySet<string>): Promise<Map<string, string>> {
  if (repositories.size === 0) return new Map();
  const { stdout } = await runGit(listIndex, { ...git, outputBytesMax: 512 * 1024 * 1024 });
  const links = new Map([...readIndex(stdout).links].filter(([path]) => repositories.has(path)));
  const lines = [...links].map(([path, id]) => `0 ${id}\t${path}\0`).join("");
  if (links.size > 0) {
    await runGit(["update-index", "-z", "--index-info"], { ...git, stdin: Buffer.from(lines, "latin1") });
  }
  return links;
}

/** The index and, unless git cannot compare some file, what differs from it: see {@link listChanged}. */
async function readChanges(
  git: CheckoutGit["git"],
): Promise<IndexEntries & { changed: string[] | null; unread: string[] }> {
  try {
    const { stdout, stderr } = await runGit([...listIndex, "--modified", "--others", "--exclude-standard"], {
      ...{ ...git, outputBytesMax: 512 * 1024 * 1024 },
    });
    return { ...readIndex(stdout), unread: unreadFolders(stderr) };
  } catch (error) {
    if (!(error instanceof GitError) || !lacksEncoding.test(error.stderr)) throw error;
    const { stdout } = await runGit(listIndex, { ...git, outputBytesMax: 512 * 1024 * 1024 });
    return { ...readIndex(stdout), changed: null, unread: [] };
  }
}

/**
 * Adds the files that git does not refuse; `isAll` is false if there are others. `unchecked` are those that were not tried, because
 * git cannot name all files of a wrong encoding.
 */
async function addAllBut(
  git: CheckoutGit["git"],
  { changed, without }: { changed: string[]; without: Set<string> },
): Promise<{ isAll: boolean; unchecked: ReadonlySet<string> }> {
  const add = ["add", "--all", "--ignore-errors"];
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
      else left = new Set(await chooseEncoded(git, changed));
    }
  }
}

/** What git says about the attribute `working-tree-encoding` without a value. */
const lacksEncoding = /^fatal: true\/false are no valid working-tree-encodings$/m;

/** The files for which .gitattributes demands an encoding. What is no longer a file has none. */
async function chooseEncoded(git: CheckoutGit["git"], paths: string[]): Promise<string[]> {
  // For each path: the path, the attribute's name, its value.
  const words = await listGit(["check-attr", "-z", "--stdin", "working-tree-encoding"], {
    ...{ ...git, outputBytesMax: 1024 * 1024 * 1024 },
    stdin: Buffer.from(paths.join("\0"), "latin1"),
  });
  const chosen: string[] = [];
  for (const [at, path] of paths.entries()) {
    if (["unspecified", "unset", ""].includes(words[3 * at + 2] ?? "")) continue;
    if ((await lstat(placeOf(git.cwd, path)).catch(() => null))?.isFile() === true) chosen.push(path);
  }
  return chosen;
}

/** The path that git names when a file does not have the encoding that .gitattributes demands; null in other messages. */
function findMisencoded(stderr: string): string | null {
  const path = /^fatal: [a-zA-Z ]+ '(.+)' (?:if encoded as|from) /ms.exec(stderr)?.[1];
  return path === undefined ? null : Buffer.from(path, "utf8").toString("latin1");
}

/** Files that still differ from the index after everything was added. */
async function listRefused(git: CheckoutGit["git"], without: Set<string>): Promise<string[]> {
  const changed = await listChanged(git);
  return changed.filter((path) => !path.endsWith("/") && !without.has(path) && within(path, without).length === 0);
}

/** Files that are new or differ from the index; nested repositories with "/" at the end. `unread`: folders that git passed over. */
async function listChanged(git: CheckoutGit["git"], unread = new Set<string>()): Promise<string[]> {
  const list = async (...command: string[]) => {
    const { stdout, stderr } = await runGit(command, { ...git, outputBytesMax: 512 * 1024 * 1024 });
    for (const path of unreadFolders(stderr)) unread.add(path);
    return stdout.toString("latin1").split("\0").slice(0, -1);
  };
  const others = ["ls-files", "-z", "--others", "--exclude-standard"];
  try {
    return [...new Set(await list(...others, "--modified"))];
  } catch (error) {
    if (!(error instanceof GitError) || !lacksEncoding.test(error.stderr)) throw error;
    // git cannot convert such a file to compare it. By size and time alone it can, but it trusts the times only of files older than
    // the index.
    const later = new Date(Date.now() + 60_000);
    await utimes(git.variables.GIT_INDEX_FILE ?? "", later, later);
    const modified = await list("diff-files", "-z", "--name-only", "--ignore-submodules=all");
    return [...new Set([...(await list(...others)), ...modified])];
  }
}

/** The folders that git says it could not open; it cuts long messages off. */
function unreadFolders(stderr: string): string[] {
  const warnings = stderr.matchAll(/^warning: could not open directory '(.+?)(?:': [^']*)?$/gm);
  return [...warnings].map(([, path = ""]) => path);
}
