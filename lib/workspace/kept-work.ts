import { type GitContext, listGit, runGit } from "./git.ts";
import { withMergedTree } from "./merged-tree.ts";
import { findCommits, isAncestorOf, mirrorPath } from "./mirror.ts";
import { computeDiff, type RunDiff } from "./run-diff.ts";
import { isFolder } from "./shared-objects.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** The mirror with a run's commits. */
export interface WorkPlace extends GitContext {
  dataDir: string;
  runId: number;
  /** Null: the run has its own mirror. */
  repositoryId: number | null;
}

/** A file of a commit. `content` is null if it is longer than the bound. */
export interface CommitFile {
  bytes: number;
  content: Buffer | null;
}

/** Two commits of a run; null is an empty tree. `base`: what the run's changes at `to` are compared with; if left out, unknown. */
type Range = { from: string | null; to: string | null; base?: string | null; bytesMax?: number | undefined };

/**
 * What a run did between two commits. What only its base branch changed in between, and the run merged or was rebased onto, is left
 * out. Throws WorkspaceError `commit_not_found` if the mirror no longer has one of them.
 */
export async function compareCommits(options: WorkPlace & Range): Promise<RunDiff> {
  const { from, to, base = null, bytesMax, env, signal } = options;
  const repository = await mirrorWith(options, [from, to]);
  const range = { repository, from, to, bytesMax, env, signal };
  const isIn = (commit: string) => isAncestorOf(repository, base ?? "", commit, { env, signal });
  if (base === null || from === null || to === null || (await isIn(from)) || !(await isIn(to)))
    return computeDiff(range);
  return withMergedTree([from, base], { cwd: repository, env, signal, union: true }, (merged) =>
    computeDiff({ ...range, ...(merged === null ? {} : { from: merged.tree, variables: merged.variables }) }),
  );
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
  const listed = await listGit(["--literal-pathspecs", "ls-tree", "-z", "-l", commit, "--", path], inMirror, "utf8");
  const found = listed.find((line) => line.endsWith(`\t${path}`));
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
  const wanted = commits.filter((commit) => commit !== null);
  const found = (await isFolder(mirror)) ? await findCommits(mirror, wanted, { env, signal }) : null;
  const lost = wanted.find((_, at) => found?.[at] == null);
  if (found !== null && lost === undefined) return mirror;
  const what =
    lost === undefined
      ? "The mirror with the run's work is gone."
      : `Commit ${lost.slice(0, 10)} is no longer in the mirror.`;
  throw new WorkspaceError("commit_not_found", what);
}
