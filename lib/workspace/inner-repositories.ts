import { lstat, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { readAgentHead, readPackedRefs } from "./agent-head.ts";
import { type CheckoutGit, excludeSettings } from "./checkout-git.ts";
import { hasChanges, isWorktreeChanged, listChangedFiles } from "./folder-changes.ts";
import { listGit, readGit, runGit } from "./git.ts";
import { readGitmodules } from "./gitmodules.ts";
import { bytesOf, type LeftOut, leftOutAs, placeOf, utf8 } from "./left-out.ts";
import { readPlain } from "./read-plain.ts";

/** Limits of a repository inside a checkout whose files are committed. */
export const innerFilesMax = 2000;
export const innerBytesMax = 20 * 1024 * 1024;
/** Most repositories that are taken in a turn. */
const takenMax = 100;

const settingsBytesMax = 64 * 1024;
const reflogBytesMax = 1024 * 1024;

/** Paths here are relative to the checkout, one character a byte, without "/" at the end. */
interface Inner {
  /** git, with the checkout as its work tree and the index that is being written. */
  git: CheckoutGit["git"];
  checkout: string;
  base: string | null;
  /** Folders with a `.git`. */
  repositories: readonly string[];
  /** Links to commits of other repositories in the index (mode 160000), with the commits, and all its other paths. */
  links: ReadonlyMap<string, string>;
  paths: readonly string[];
  /** Files that are new or differ from the index; repositories have "/" at the end. `isAltered`: the index is not as it was. */
  listChanged(isAltered: boolean): Promise<string[]>;
}

/** The repositories inside a checkout, and what of them becomes part of its tree. */
export interface InnerRepositories {
  /** Changed files, as `listChanged` lists them now, without those of repositories that are not taken. */
  changed: string[];
  /** Repositories that must not be added. */
  without: string[];
  /** Lines for `update-index --index-info` that put back the links of submodules. */
  links: string;
  told: LeftOut[];
}

/**
 * Decides about repositories inside a checkout. All of them were made in the run, because git never checks out a `.git`. The files
 * of one without a remote become part of the tree, without its `.git`, if it is small; the others are named, as are submodules in
 * which something was changed and links to commits that nobody can fetch. git never starts with one as its repository, nor does it
 * read what one says about its submodules: nothing in them is executed or obeyed. Throws GitError.
 */
export async function takeInnerRepositories(inner: Inner): Promise<InnerRepositories> {
  const { git, checkout, links } = inner;
  const own = new Set(inner.repositories);
  const declared = await declaredSubmodules(inner);
  const ofBase = await linksOfBase(inner, declared);
  const told: LeftOut[] = [];
  const removed: string[] = [];
  for (const path of links.keys()) {
    const names = await readdir(placeOf(checkout, path)).catch(() => null);
    const isKnown = declared.has(path) || ofBase.has(path);
    if (own.has(path) || (names !== null && names.length > 0 && !isKnown)) removed.push(path);
    else if (names !== null && !isKnown) told.push(leftOutAs("link", `${path}/`));
  }
  await indexInfo(
    git,
    removed.map((path) => `0 ${links.get(path)}\t${path}`),
  );
  const tracked = new Set(own.size === 0 ? [] : inner.paths.flatMap((path) => within(path, own)));
  const taken = new Map<string, boolean>();
  // Outer ones first: those inside one that is not taken do not count.
  for (const path of await withoutIgnored(git, [...own].filter((path) => !tracked.has(path)).sort())) {
    if (within(path, taken).some((outer) => taken.get(outer) === false)) continue;
    const isSubmodule = declared.has(path);
    const why = isSubmodule
      ? await whyChanged(inner, path)
      : taken.size < takenMax
        ? await whyNotTaken(inner, path)
        : "large";
    taken.set(path, !isSubmodule && why === null);
    if (taken.get(path) === true && (await isPlainFolder(checkout, path)))
      told.push(leftOutAs("refused", `${path}/.git/`));
    const hasHistory = taken.get(path) === true && (await hasCommits(checkout, path));
    if (hasHistory) told.push(leftOutAs("history", `${path}/`));
    else if (why !== null && why !== "unchanged") told.push(leftOutAs(why, `${path}/`));
  }
  // Those that earlier turns have taken still have commits that are nowhere else.
  for (const path of tracked) if (await hasCommits(checkout, path)) told.push(leftOutAs("history", `${path}/`));
  const seeds = [...taken].flatMap(([path, isTaken]) => (isTaken ? [path] : []));
  if (seeds.length > 0) {
    // With a file of it in the index, git treats the folder as one of the checkout's own.
    const empty = await readGit(["hash-object", "--stdin"], git);
    await indexInfo(
      git,
      seeds.map((path) => `100644 ${empty}\t${path}/.errand`),
    );
  }
  const changed = await inner.listChanged(removed.length + seeds.length > 0);
  for (const path of changed) {
    // More than could be listed, or one that the checkout's user cannot open.
    if (!path.endsWith("/") || taken.has(path.slice(0, -1))) continue;
    taken.set(path.slice(0, -1), false);
    told.push(leftOutAs("elsewhere", path));
  }
  const without = [...taken].flatMap(([path, isTaken]) => (isTaken ? [] : [path]));
  const kept = removed.filter((path) => declared.has(path) || (taken.get(path) === false && ofBase.has(path)));
  const passedOver = new Set(without);
  return {
    changed: changed.filter((path) => !path.endsWith("/") && within(path, passedOver).length === 0),
    without,
    links: kept.map((path) => `160000 ${links.get(path)}\t${path}\0`).join(""),
    told,
  };
}

/** Whether a `.git` that is no repository has something in it, which git keeps nowhere. */
async function isPlainFolder(checkout: string, path: string): Promise<boolean> {
  const names = await readdir(join(checkout, utf8(path), ".git")).catch((): string[] => []);
  return names.length > 0 && !names.includes("HEAD");
}

/** Whether HEAD is at a commit, or there is another branch. */
async function hasCommits(checkout: string, path: string): Promise<boolean> {
  const git = join(checkout, utf8(path), ".git");
  if ((await readAgentHead(git)) !== null || (await readPackedRefs(git))?.size !== 0) return true;
  return (await readdir(join(git, "refs/heads")).catch(() => [])).length > 0;
}

/** The folders of this path that are in the set, outermost first. */
export function within(path: string, folders: { has(folder: string): boolean }): string[] {
  const found: string[] = [];
  for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1)) {
    if (folders.has(path.slice(0, end))) found.push(path.slice(0, end));
  }
  return found;
}

async function indexInfo(git: Inner["git"], lines: string[]): Promise<void> {
  if (lines.length === 0) return;
  const stdin = Buffer.from(`${lines.join("\0")}\0`, "latin1");
  await runGit(["update-index", "-z", "--index-info"], { ...git, stdin });
}

/** Of these paths those that git does not ignore. */
async function withoutIgnored(git: Inner["git"], paths: string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const stdin = Buffer.from(paths.join("\0"), "latin1");
  const ignored = await listGit(["check-ignore", "-z", "--stdin", "--no-index"], { ...git, stdin, mayAnswerOne: true });
  const known = new Set(ignored);
  return paths.filter((path) => !known.has(path));
}

/** Paths that `.gitmodules` names, as far as it can be read. */
async function declaredSubmodules({ git, checkout, links }: Inner): Promise<{ has(path: string): boolean }> {
  const text = links.size === 0 ? null : await readPlain(join(checkout, ".gitmodules"), settingsBytesMax, "latin1");
  return text === null ? new Set() : await readGitmodules({ text: Buffer.from(text, "latin1") }, git, "latin1");
}

/** Of the links that `.gitmodules` does not name, those of the commit that the run started from. */
async function linksOfBase(
  { git, base, links }: Inner,
  declared: { has(path: string): boolean },
): Promise<Set<string>> {
  const paths = [...links.keys()].filter((path) => !declared.has(path)).slice(0, takenMax);
  if (base === null || paths.length === 0) return new Set();
  const lines = await listGit(["--literal-pathspecs", "ls-tree", "-z", base, "--", ...paths.map(utf8)], git);
  return new Set(lines.flatMap((line) => (line.startsWith("160000 ") ? [line.slice(line.indexOf("\t") + 1)] : [])));
}

/** Why the files of a repository inside the checkout do not become part of the tree; null if they do. */
async function whyNotTaken({ git, checkout }: Inner, path: string): Promise<LeftOut["why"] | "unchanged" | null> {
  const place = join(checkout, utf8(path));
  const own = join(place, ".git");
  const found = await lstat(own).catch(() => null);
  if (!found?.isDirectory()) {
    const name = /\/\.git\/worktrees\/([^/\n]+)\n?$/.exec((await readPlain(own, settingsBytesMax)) ?? "")?.[1];
    if (name === undefined) return "elsewhere";
    const head = await readAgentHead(join(checkout, ".git"), `worktrees/${name}/HEAD`);
    const isChanged = await isWorktreeChanged(git, join(checkout, ".git/worktrees", name), place, head);
    return isChanged ? "worktree" : "unchanged";
  }
  const hasSettings = (await lstat(join(own, "config")).catch(() => null)) !== null;
  const settings = hasSettings ? await readPlain(join(own, "config"), settingsBytesMax) : "";
  const isCopy = (await readdir(join(own, "refs/remotes")).catch(() => [])).length > 0;
  // What other files would be included cannot be known without obeying them.
  if (isCopy || settings === null || /\[\s*(?:remote|include|includeif)\b/i.test(settings)) return "remote";
  const files = await listChangedFiles({ ...git, settings: await excludeSettings(own) }, place, {});
  const isLarge = files === null || files.length > innerFilesMax || (await bytesOf(place, files)) > innerBytesMax;
  if (files?.length === 0 && (await readdir(place).catch(() => [])).length > 1) return "ignored";
  return isLarge ? "large" : null;
}

/**
 * What a person must know about a submodule: "submodule" if its files or its commit are not what the checkout's index says, or if
 * that commit was made in this run, so that no one else has it. Null: nothing.
 */
async function whyChanged({ git, checkout, links }: Inner, path: string): Promise<"submodule" | null> {
  const place = join(checkout, utf8(path));
  const own = join(place, ".git");
  const named = /^gitdir: (.*?)\s*$/.exec((await readPlain(own, settingsBytesMax)) ?? "")?.[1];
  const directory = named === undefined ? own : resolve(place, named);
  const head = await readAgentHead(directory);
  if (head !== (links.get(path) ?? null)) return "submodule";
  if ((await lstat(join(directory, "refs/stash")).catch(() => null)) !== null) return "submodule";
  // Of what git notes, only these leave HEAD at a commit that was there.
  const made = new RegExp(`^[0-9a-f]+ ${head} .*\\t(?!clone|checkout|reset|(?:pull|merge)\\b.*: Fast-forward)`, "m");
  if (made.test((await readPlain(join(directory, "logs/HEAD"), reflogBytesMax)) ?? "")) return "submodule";
  const ofIt = { ...git, settings: await excludeSettings(directory) };
  return (await hasChanges(ofIt, place, { index: join(directory, "index") })) ? "submodule" : null;
}
