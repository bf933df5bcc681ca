import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { IndexEntries } from "./agent-index.ts";
import { excludePath, excludeSettings } from "./checkout-git.ts";
import { GitError, type GitOptions, listGit, runGit } from "./git.ts";
import { listIgnored } from "./ignored-paths.ts";
import { keptFileBytesMax, placeOf, utf8 } from "./left-out.ts";

/** Most files that are examined. */
const examinedMax = 1000;
const ignoredMax = 100;
/** So much of a list of ignored files is read. */
export const atMost = { outputBytesMax: 4 * 1024 * 1024, overflow: "cut" } as const;

/**
 * Files whose changes git was told to ignore (`assume-unchanged`, `skip-worktree`) and that are changed, or may be. One
 * character a byte.
 */
export async function findHiddenChanges(git: GitOptions, hidden: IndexEntries["hidden"]): Promise<string[]> {
  const files: string[] = [];
  const unknown: string[] = [];
  for (const [path, { mayBeMissing }] of hidden) {
    const found = await lstat(placeOf(git.cwd, path)).catch(() => null);
    if (found === null && mayBeMissing) continue;
    // A name in two lines cannot be given to git.
    const isRead = found?.isFile() && found.size <= keptFileBytesMax && !path.includes("\n");
    (isRead && files.length < examinedMax ? files : unknown).push(path);
  }
  if (files.length === 0) return unknown;
  try {
    const stdin = Buffer.from(`${files.join("\n")}\n`, "latin1");
    const { stdout } = await runGit(["hash-object", "--stdin-paths"], { ...git, stdin });
    const ids = stdout.toString("latin1").split("\n");
    return [...unknown, ...files.filter((path, at) => ids[at] !== hidden.get(path)?.id)];
  } catch (error) {
    if (error instanceof GitError) return [...unknown, ...files];
    throw error;
  }
}

/** Patterns that hide every file. */
const hidesAll = new Set(["*", "/*", "**", "/**", "*.*"]);

/** What a checkout's own rules usually hide, and is no work: what tools make, and copies of settings. */
const ofTools =
  /(?:^|\/)(?:node_modules|dist|build|target|coverage|__pycache__|venv|\.(?:venv|cache|next|DS_Store|env[^/]*)|[^/]*\.(?:log|pyc))\/?$/;

/** Tools write ignore files into such folders of their own, beside work that is kept. */
const inHiddenFolder = /(?:^|\/)(?:node_modules|[\w.-]*env|target|build|dist|htmlcov|coverage|\.[^/]+)\//;

/**
 * At most 100 ignored files, and folders of them with "/" at the end, that nobody meant to hide. At the end of each turn: those that a
 * rule in `.git/info/exclude` hides, which is in this checkout only, apart from what tools usually make. Of a turn that committed
 * nothing (not `isNew`), or in which an ignore file that hides every file was written (`hasRules`), whose work may be there: also those
 * made in it that are hidden by a .gitignore that is itself hidden or, of a turn that committed nothing, by a pattern that hides every
 * file. Throws GitError.
 */
export async function findIgnoredWork(
  git: GitOptions,
  { isNew, hasRules }: { isNew: boolean; hasRules: boolean },
): Promise<string[]> {
  const directory = join(git.cwd, ".git");
  const exclude = Buffer.from(excludePath(directory)).toString("latin1");
  const hasOwnRules = (await excludeSettings(directory)).length > 0;
  if (isNew && !hasOwnRules && !hasRules) return [];
  const paths = (await listIgnored({ ...git, ...atMost }, "latin1")).slice(0, examinedMax);
  const isHidden = new Set(paths);
  const found = await findRules(git, paths);
  if (hasOwnRules || hasRules || paths.some((path) => /(?:^|\/)\.gitignore$/.test(path))) {
    const ruled = new Set(found.map(({ path }) => path));
    const folders = paths.filter((path) => path.endsWith("/") && !ruled.has(path)).slice(0, ignoredMax);
    const inside = await listIgnoredIn(folders, git);
    for (const path of inside) isHidden.add(path);
    found.push(...(await findRules(git, inside)));
  }
  // The agent's git writes HEAD when it switches, and Errand at the end of each turn.
  const beganMs = (await lstat(join(directory, "HEAD")).catch(() => null))?.mtimeMs ?? 0;
  const isOfTurn = async (path: string) =>
    ((await lstat(placeOf(git.cwd, path)).catch(() => null))?.mtimeMs ?? 0) >= beganMs;
  const work: string[] = [];
  for (const { from, pattern, path } of found) {
    if (work.length === ignoredMax) break;
    const isByItself = path.endsWith("/") && from.startsWith(path);
    // Beside work that is kept, a rule file that is in the branch means what it says, such as one that keeps a folder for logs.
    const isAny = !isNew && !path.endsWith("/") && hidesAll.has(pattern);
    const isUnmeant = isHidden.has(from) || isByItself || isAny;
    const isOfTools = ofTools.test(path) || ((isNew || isByItself) && inHiddenFolder.test(path));
    const isWork = from === exclude ? !ofTools.test(path) : isUnmeant && !isOfTools && (await isOfTurn(path));
    if (isWork) work.push(utf8(path));
  }
  return work;
}

/** The rules that name paths: the file that each is in, and its pattern. None for a folder whose files each have their own. */
async function findRules(git: GitOptions, paths: string[]): Promise<{ from: string; pattern: string; path: string }[]> {
  if (paths.length === 0) return [];
  const stdin = Buffer.from(paths.join("\0"), "latin1");
  // Four parts for each path: the file with the rule, its line, the pattern, the path.
  const parts = await listGit(["check-ignore", "-z", "--verbose", "--stdin"], { ...git, stdin, mayAnswerOne: true });
  return Array.from({ length: Math.floor(parts.length / 4) }, (_, at) => {
    const [from = "", , pattern = "", path = ""] = parts.slice(4 * at, 4 * at + 4);
    return { from, pattern, path };
  });
}

async function listIgnoredIn(folders: string[], git: GitOptions): Promise<string[]> {
  if (folders.length === 0) return [];
  const settings = [...(git.settings ?? []), "--literal-pathspecs"];
  const list = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--", ...folders.map(utf8)];
  return (await listGit(list, { ...git, ...atMost, settings })).slice(0, examinedMax);
}
