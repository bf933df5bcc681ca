import type { Environment } from "./environment.ts";
import { runGit } from "./git.ts";
import { findCommit, mirrorPath } from "./mirror.ts";
import { computeDiff, type RunDiff } from "./run-diff.ts";
import { isFolder } from "./shared-objects.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** The mirror with a run's commits. */
export interface WorkPlace {
  dataDir: string;
  runId: number;
  /** Null: the run has its own mirror. */
  repositoryId: number | null;
  env: Environment;
  signal?: AbortSignal | undefined;
}

/** A file of a commit. `content` is null if it is longer than the bound. */
export interface CommitFile {
  bytes: number;
  content: Buffer | null;
}

/**
 * The differences between two commits of a run; null is an empty tree. Throws WorkspaceError `commit_not_found` if the mirror no
 * longer has one of them.
 */
export async function compareCommits(
  options: WorkPlace & { from: string | null; to: string | null; bytesMax?: number | undefined },
): Promise<RunDiff> {
  const { from, to, bytesMax, env, signal } = options;
  const repository = await mirrorWith(options, [from, to]);
  return computeDiff({ repository, from, to, bytesMax, env, signal });
}

/**
 * Reads a file of a commit; of a symbolic link, its target. Null if the path has no file there: nothing, a folder, or another
 * repository. Throws WorkspaceError `commit_not_found`.
 */
export async function readCommitFile(
  options: WorkPlace & { commit: string; path: string; bytesMax: number },
): Promise<CommitFile | null> {
  const { commit, path, bytesMax, env, signal } = options;
  // No tree has such names, and git fails on a path that leads out of the repository.
  if (path.split("/").some((name) => name === "" || name === "." || name === "..")) return null;
  const inMirror = { cwd: await mirrorWith(options, [commit]), env, signal };
  const listed = await runGit(["--literal-pathspecs", "ls-tree", "-z", "-l", commit, "--", path], inMirror);
  const found = listed.stdout
    .toString("utf8")
    .split("\0")
    .find((line) => line.endsWith(`\t${path}`));
  const [, id = "", size = ""] = /^\d+ blob ([0-9a-f]+) +(\d+)\t/.exec(found ?? "") ?? [];
  if (id === "") return null;
  const bytes = Number(size);
  if (bytes > bytesMax) return { bytes, content: null };
  return { bytes, content: (await runGit(["cat-file", "blob", id], inMirror)).stdout };
}

async function mirrorWith(
  { dataDir, runId, repositoryId, env, signal }: WorkPlace,
  commits: (string | null)[],
): Promise<string> {
  const mirror = mirrorPath(dataDir, repositoryId ?? `run-${runId}`);
  const isThere = await isFolder(mirror);
  for (const commit of commits) {
    if (commit === null || (isThere && (await findCommit(mirror, commit, { env, signal })) !== null)) continue;
    throw new WorkspaceError("commit_not_found", `Commit ${commit.slice(0, 10)} is no longer in the mirror.`);
  }
  if (isThere) return mirror;
  throw new WorkspaceError("commit_not_found", "The mirror with the run's work is gone.");
}
