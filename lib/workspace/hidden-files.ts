import { lstat } from "node:fs/promises";
import { GitError, type GitOptions, listGit, runGit } from "./git.ts";
import { listIgnored } from "./ignored-paths.ts";
import { keptFileBytesMax, placeOf, utf8 } from "./left-out.ts";

/** Most files that are examined. */
const examinedMax = 1000;
const ignoredMax = 100;
/** So much of a list of ignored files is read. */
export const atMost = { outputBytesMax: 4 * 1024 * 1024, overflow: "cut" } as const;

/**
 * Files whose changes git was told to ignore (`assume-unchanged`, `skip-worktree`; with their object ids in the index) and that are
 * changed. All of them if git cannot say. One character a byte.
 */
export async function findHiddenChanges(git: GitOptions, hidden: ReadonlyMap<string, string>): Promise<string[]> {
  const files: string[] = [];
  for (const path of hidden.keys()) {
    if (files.length === examinedMax) break;
    const found = await lstat(placeOf(git.cwd, path)).catch(() => null);
    // Those that are missing are outside a sparse checkout. A name in two lines cannot be given to git.
    if (found?.isFile() && found.size <= keptFileBytesMax && !path.includes("\n")) files.push(path);
  }
  if (files.length === 0) return [];
  try {
    const stdin = Buffer.from(`${files.join("\n")}\n`, "latin1");
    const { stdout } = await runGit(["hash-object", "--stdin-paths"], { ...git, stdin });
    const ids = stdout.toString("latin1").split("\n");
    return files.filter((path, at) => ids[at] !== hidden.get(path));
  } catch (error) {
    if (error instanceof GitError) return files;
    throw error;
  }
}

/** Patterns that hide every file. */
const hidesAll = new Set(["*", "/*", "**", "/**", "*.*"]);

/**
 * At most 100 ignored files, and folders of them with "/" at the end, that were made since `sinceMs` and that nobody meant to hide: by a
 * .gitignore that is itself hidden, or by a pattern that hides every file. For a turn that committed nothing: its work may be there.
 * Throws GitError.
 */
export async function findIgnoredWork(git: GitOptions, sinceMs: number): Promise<string[]> {
  const paths = (await listIgnored({ ...git, ...atMost }, "latin1")).slice(0, examinedMax);
  if (paths.length === 0) return [];
  const stdin = Buffer.from(paths.join("\0"), "latin1");
  // Four parts for each path: the file with the rule, its line, the pattern, the path. None if no rule names the paths themselves.
  const parts = await listGit(["check-ignore", "-z", "--verbose", "--stdin"], { ...git, stdin, mayAnswerOne: true });
  const isHidden = new Set(paths);
  const work: string[] = [];
  for (let at = 0; at + 3 < parts.length && work.length < ignoredMax; at += 4) {
    const [from = "", , pattern = "", path = ""] = parts.slice(at, at + 4);
    const isMeant = !isHidden.has(from) && (path.endsWith("/") || !hidesAll.has(pattern));
    const found = isMeant ? null : await lstat(placeOf(git.cwd, path)).catch(() => null);
    if (found !== null && found.mtimeMs >= sinceMs) work.push(utf8(path));
  }
  return work;
}
