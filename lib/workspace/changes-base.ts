import { type GitContext, readGit } from "./git.ts";
import { findCommonCommit, findRef, isAncestorOf } from "./mirror.ts";
import { findRunRecord } from "./run-record.ts";

/** The state of the repository that a run's changes are compared with. */
export interface ChangesBase {
  /** Null: an empty tree. */
  commit: string | null;
  /** What {@link baseRef} is at; null: nothing. */
  last: string | null;
  /** The commit of the base branch as last fetched; if that branch is gone, of the source's HEAD; null if neither is known. */
  tip: string | null;
  /**
   * False: the base branch does not contain the commit, because one of the branches was rewritten or the base branch deleted. It is
   * then the one that the run began from, or was last compared with.
   */
  isMergeBase: boolean;
}

/** A run's branch in its mirror. `baseBranch`: the branch that the work is for, by default the one that it began from. */
export interface ChangesOptions extends GitContext {
  mirror: string;
  runId: string | number;
  baseBranch?: string | null | undefined;
  head: string;
}

/** Ref of the commit that a run's changes are compared with, at first the one that it began from. */
export const baseRef = (runId: string | number) => `refs/errand/base/run-${runId}`;

/**
 * The newest commit in the history of a run's work that is not its own work: its merge base with the base branch as last fetched or,
 * if that is older, the commit that the run began from or was last compared with. Throws GitError.
 */
export async function findChangesBase(options: ChangesOptions): Promise<ChangesBase> {
  const { mirror, runId, head, ...git } = options;
  const record = await findRunRecord(mirror, String(runId));
  const branch = options.baseBranch ?? record?.baseBranch ?? null;
  // A run may begin at the branch of another run, which the source does not have.
  const ofRun = branch?.startsWith("errand/run-") === true ? [`refs/heads/${branch}`] : [];
  const tips = branch === null ? [] : [...ofRun, `refs/remotes/origin/${branch}`];
  const names = [baseRef(runId), ...tips, "refs/errand/head"];
  const [last = null, ...found] = await Promise.all(names.map((name) => findRef(mirror, name)));
  const begun = record === null ? last : record.baseCommit;
  const tip = found.find((commit) => commit !== null) ?? null;
  const common = tip === null || tip === head ? tip : await findCommonCommit(mirror, tip, head, git);
  const commit = (await newestIn([common, last, begun])) ?? begun;
  return { commit, last, tip, isMergeBase: commit === common || commit === null || (tip === null && branch === null) };

  async function newestIn(commits: (string | null)[]): Promise<string | null> {
    const known = [...new Set(commits)].filter((one) => one !== null);
    const inHead: string[] = [];
    for (const one of known) {
      if (one === common || one === head || (await isAncestorOf(mirror, one, head, git))) inHead.push(one);
    }
    if (inHead.length < 2) return inHead[0] ?? null;
    const newest = await readGit(["merge-base", "--independent", ...inHead], { ...git, cwd: mirror });
    return inHead.find((one) => newest.includes(one)) ?? null;
  }
}
