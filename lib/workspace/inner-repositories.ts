import { lstat, readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { readAgentHead } from "./agent-head.ts";
import { copyIndex } from "./agent-index.ts";
import { GitError, type GitOptions, readGit, runGit } from "./git.ts";
import { bytesOf, type LeftOut } from "./left-out.ts";
import { readPlain } from "./read-plain.ts";

/** Limits of a repository inside a checkout whose files are committed. */
export const innerFilesMax = 2000;
export const innerBytesMax = 20 * 1024 * 1024;
/** Most repositories that are taken in a turn, and depth of repositories in repositories. */
const takenMax = 100;
const depthMax = 5;

const listBytesMax = 2 * 1024 * 1024;
const settingsBytesMax = 64 * 1024;
const excludeBytesMax = 1024 * 1024;
const reflogBytesMax = 1024 * 1024;

/** Paths here are relative to the checkout, one character a byte, without "/" at the end. */
interface Inner {
  /** git, with the checkout as its work tree and the index that is being written. */
  git: GitOptions & { variables: Record<string, string> };
  checkout: string;
  base: string | null;
  /** Folders with a `.git`. */
  repositories: readonly string[];
  /** Links to commits of other repositories in the index (mode 160000), with the commits, and all its other paths. */
  links: ReadonlyMap<string, string>;
  paths: readonly string[];
  /** Files that are new or differ from the index; repositories have "/" at the end. */
  listChanged(): Promise<string[]>;
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
  const declared = links.size === 0 ? new Set<string>() : await declaredSubmodules(checkout);
  const ofBase = await linksOfBase(inner, declared);
  const told: LeftOut[] = [];
  const removed: string[] = [];
  for (const path of links.keys()) {
    const names = await readdir(placeOf(checkout, path)).catch(() => null);
    const isKnown = declared.has(path) || ofBase.has(path);
    if (own.has(path) || (names !== null && names.length > 0 && !isKnown)) removed.push(path);
    else if (names !== null && !isKnown) told.push(leftOut(path, "link"));
  }
  await indexInfo(
    git,
    removed.map((path) => `0 ${links.get(path)}\t${path}`),
  );
  const tracked = new Set(own.size === 0 ? [] : inner.paths.flatMap((path) => within(path, own)));
  const taken = new Map<string, boolean>();
  let changed = await inner.listChanged();
  for (let depth = 0; ; depth += 1) {
    const found = new Set(
      changed.flatMap((path) => [...within(path, own), ...(path.endsWith("/") ? [path.slice(0, -1)] : [])]),
    );
    const seeds: string[] = [];
    for (const path of found) {
      if (taken.has(path) || tracked.has(path) || within(path, taken).some((outer) => taken.get(outer) === false))
        continue;
      const why = declared.has(path) ? await whyChanged(inner, path) : await whyNotTaken(inner, path);
      const isTaken = why === null && !declared.has(path) && depth < depthMax && taken.size < takenMax;
      taken.set(path, isTaken);
      if (isTaken) seeds.push(path);
      const hasHistory = isTaken && (await readAgentHead(join(checkout, utf8(path), ".git"))) !== null;
      if (why !== null || hasHistory) told.push(leftOut(path, why ?? "history"));
    }
    if (seeds.length === 0) break;
    // git takes a folder with a file in the index for no other repository. The file does not exist, so `add` removes it.
    const empty = await readGit(["hash-object", "--stdin"], git);
    await indexInfo(
      git,
      seeds.map((path) => `100644 ${empty}\t${path}/.errand`),
    );
    changed = await inner.listChanged();
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

const utf8 = (path: string) => Buffer.from(path, "latin1").toString("utf8");
const leftOut = (path: string, why: LeftOut["why"]): LeftOut => ({ path: `${utf8(path)}/`, why, bytes: null });
const placeOf = (checkout: string, path: string) =>
  Buffer.concat([Buffer.from(`${checkout}/`), Buffer.from(path, "latin1")]);

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

/** Paths that `.gitmodules` names, as far as it can be read. */
async function declaredSubmodules(checkout: string): Promise<Set<string>> {
  const text = (await readPlain(join(checkout, ".gitmodules"), settingsBytesMax, "latin1")) ?? "";
  const paths = [...text.matchAll(/^[ \t]*path[ \t]*=[ \t]*(.*?)[ \t\r]*$/gim)].map(([, path = ""]) => path);
  return new Set(paths.map((path) => path.replace(/^"(.*)"$/, "$1").replace(/\/+$/, "")));
}

/** Of the links that `.gitmodules` does not name, those of the commit that the run started from. */
async function linksOfBase({ git, base, links }: Inner, declared: Set<string>): Promise<Set<string>> {
  const paths = [...links.keys()].filter((path) => !declared.has(path)).slice(0, takenMax);
  if (base === null || paths.length === 0) return new Set();
  const { stdout } = await runGit(["--literal-pathspecs", "ls-tree", "-z", base, "--", ...paths.map(utf8)], git);
  const lines = stdout.toString("latin1").split("\0");
  return new Set(lines.flatMap((line) => (line.startsWith("160000 ") ? [line.slice(line.indexOf("\t") + 1)] : [])));
}

/** Why the files of a repository inside the checkout do not become part of the tree; null if they do. */
async function whyNotTaken({ git, checkout }: Inner, path: string): Promise<LeftOut["why"] | null> {
  const place = join(checkout, utf8(path));
  const own = join(place, ".git");
  const found = await lstat(own).catch(() => null);
  if (found === null) return "elsewhere";
  if (!found.isDirectory()) {
    return /\/worktrees\//.test((await readPlain(own, settingsBytesMax)) ?? "") ? "worktree" : "elsewhere";
  }
  const settings = await readPlain(join(own, "config"), settingsBytesMax);
  // What other files would be included cannot be known without obeying them.
  if (settings === null || /\[\s*(?:remote|include|includeif)\b/i.test(settings)) return "remote";
  const files = await listFiles(git, place, own, null);
  const isLarge = files === null || files.length > innerFilesMax || (await bytesOf(place, files)) > innerBytesMax;
  return isLarge ? "large" : null;
}

/**
 * What a person must know about a submodule: "submodule" if its files or its commit are not what the checkout's index says, or if
 * that commit was made in this run, so that no one else has it. Null: nothing.
 */
async function whyChanged({ git, checkout, links }: Inner, path: string): Promise<LeftOut["why"] | null> {
  const place = join(checkout, utf8(path));
  const own = join(place, ".git");
  const named = /^gitdir: (.*?)\s*$/.exec((await readPlain(own, settingsBytesMax)) ?? "")?.[1];
  const directory = named === undefined ? own : resolve(place, named);
  const head = await readAgentHead(directory);
  if (head !== (links.get(path) ?? null)) return "submodule";
  const made = new RegExp(`^[0-9a-f]+ ${head} .*\\tcommit`, "m");
  if (made.test((await readPlain(join(directory, "logs/HEAD"), reflogBytesMax)) ?? "")) return "submodule";
  const files = await listFiles(git, place, directory, join(directory, "index"));
  return files === null || files.length > 0 ? "submodule" : null;
}

/** Files of a repository's folder that an index lacks or has otherwise, without ignored ones; null if git cannot list them. */
async function listFiles(
  git: Inner["git"],
  place: string,
  directory: string,
  index: string | null,
): Promise<string[] | null> {
  const copy = `${git.variables.GIT_INDEX_FILE}.inner`;
  const variables = { ...git.variables, GIT_WORK_TREE: place, GIT_INDEX_FILE: copy };
  try {
    if (index !== null && !(await copyIndex(index, copy))) return null;
    const list = ["ls-files", "-z", "--others", "--modified", "--exclude-standard"];
    const how = { ...git, cwd: place, variables, outputBytesMax: listBytesMax };
    const { stdout } = await runGit([...(await excludeSettings(directory)), ...list], how);
    return stdout.toString("latin1").split("\0").slice(0, -1);
  } catch (error) {
    if (error instanceof GitError) return null;
    throw error;
  } finally {
    await rm(copy, { force: true });
  }
}

/** Agents list their own files in `info/exclude` of a git directory, which git would look for in the mirror. */
export async function excludeSettings(directory: string): Promise<string[]> {
  const path = join(directory, "info/exclude");
  const found = await lstat(path).catch(() => null);
  return found?.isFile() && found.size <= excludeBytesMax ? ["-c", `core.excludesFile=${path}`] : [];
}
