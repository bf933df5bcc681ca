import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { GitError, type GitOptions, runGit } from "./git.ts";
import { keptFileBytesMax } from "./left-out.ts";

/** Most files that are examined. */
const examinedMax = 1000;
const ignoredMax = 100;
const listBytesMax = 4 * 1024 * 1024;

/**
 * Files whose changes git was told to ignore (`assume-unchanged`, `skip-worktree`; with their object ids in the index) and that are
 * changed. All of them if git cannot say. One character a byte.
 */
export async function findHiddenChanges(git: GitOptions, hidden: ReadonlyMap<string, string>): Promise<string[]> {
  const files: string[] = [];
  for (const path of hidden.keys()) {
    if (files.length === examinedMax) break;
    const place = Buffer.concat([Buffer.from(`${git.cwd}/`), Buffer.from(path, "latin1")]);
    const found = await lstat(place).catch(() => null);
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

/** What tools leave behind: nobody expects it in a branch. */
const madeByTools = new RegExp(
  [
    /(?:^|\/)(?:\.[^/]+|node_modules|bower_components|vendor|v?env|__pycache__|Pods|DerivedData|[^/]+\.egg-info)\//,
    /(?:^|\/)(?:build|dist|out|output|target|bin|obj|coverage|htmlcov|te?mp|logs?|caches?|test-results)\//,
    /\.(?:py[co]|class|o|a|so|dll|exe|log|te?mp|cache|sw[op]|tsbuildinfo|pid|lock|map|db|sqlite3?|bak)$/,
    /(?:^|\/)(?:\.DS_Store|Thumbs\.db|\.coverage.*|\.[a-z]+cache|\.env.*|next-env\.d\.ts|junit\.xml)$/,
  ]
    .map(({ source }) => source)
    .join("|"),
);

/**
 * At most 100 ignored files, and folders of them with "/" at the end, that were made since `sinceMs`, without what tools usually make. For a
 * turn that committed nothing: its work may be there. Throws GitError.
 */
export async function findIgnoredWork(git: GitOptions, excludes: string[], sinceMs: number): Promise<string[]> {
  const list = async (...which: string[]) => {
    const all = [...excludes, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", ...which];
    const { stdout } = await runGit(all, { ...git, outputBytesMax: listBytesMax, overflow: "cut" });
    const paths = stdout.toString("utf8").split("\0").slice(0, -1);
    return paths.filter((path) => !madeByTools.test(path)).slice(0, examinedMax);
  };
  const work: string[] = [];
  for (const path of await list("--directory", "--no-empty-directory")) {
    const found = await lstat(join(git.cwd, path)).catch(() => null);
    if (found === null || found.mtimeMs < sinceMs) continue;
    if (!path.endsWith("/") || (await list("--", `:(top,literal)${path}`)).length > 0) work.push(path);
    if (work.length === ignoredMax) break;
  }
  return work;
}
