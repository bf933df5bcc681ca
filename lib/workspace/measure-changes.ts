import type { Changes } from "#lib/contract/runs/changes.ts";
import { baseRef, type ChangesOptions, findChangesBase } from "./changes-base.ts";
import { runGit } from "./git.ts";
import { hasAllOf } from "./merged-tree.ts";
import { fetchAgain, findCommit, type MirrorOptions } from "./mirror.ts";
import { computeDiff, type RunDiff } from "./run-diff.ts";

/** A run's changes, and what was compared; null is an empty tree. */
export interface MeasuredChanges extends RunDiff {
  base: string | null;
  head: string | null;
  /** See ChangesBase. */
  isMergeBase: boolean;
  /** Whether the base branch already has them, in other commits: merging the branch would add nothing. */
  isInBase: boolean;
  /** False: the changes measured before stay, because the branch was merged since, or its pull request closed. */
  replaces: boolean;
}

/** Changes measured before: of this commit (null: unknown), and whether the run's pull request was merged or closed. */
export type MeasuredBefore = { head: string | null; isFrozen: boolean };

/** Measures the changes of a run against {@link findChangesBase}, which is then the least that later measurements begin at. */
export async function measureChanges(
  options: Omit<ChangesOptions, "head"> & {
    /** Null: the branch has no commit. */
    head: string | null;
    before: MeasuredBefore | null;
    bytesMax?: number | undefined;
  },
): Promise<MeasuredChanges> {
  const { mirror, runId, head, before, bytesMax, env, signal } = options;
  const none = { commit: null, last: null, tip: null, isMergeBase: true };
  const { commit: base, last, tip, isMergeBase } = head === null ? none : await findChangesBase({ ...options, head });
  const isSame = before !== null && (before.head === null || before.head === head);
  const isMerged = head !== null && base === head;
  const replaces = before === null || !((isSame && (before.isFrozen || isMerged)) || (before.isFrozen && isMerged));
  const diff = await computeDiff({ repository: mirror, from: base, to: head, bytesMax, env, signal });
  if (replaces && base !== null && last !== null && base !== last) {
    // Not for a run that was deleted meanwhile: its work would stay in the mirror.
    await runGit(["update-ref", baseRef(runId), base, last], { cwd: mirror, env, signal }).catch(() => undefined);
  }
  const mayBeThere = replaces && tip !== null && head !== null && tip !== base && diff.filesChanged > 0;
  const isInBase = mayBeThere && (await hasAllOf(tip, head, { cwd: mirror, env, signal }));
  return { ...diff, base, head, isMergeBase, isInBase, replaces };
}

/** Fetches the mirror, or does with what was fetched before, and measures the run's changes; null if its branch has no commit. */
export async function measureRun(
  options: MirrorOptions & { runId: number; baseBranch: string | null; before: MeasuredBefore | null },
): Promise<MeasuredChanges | null> {
  const { runId, env, signal } = options;
  const { path: mirror } = await fetchAgain(options);
  const head = await findCommit(mirror, `refs/heads/errand/run-${runId}`, { env, signal });
  return head === null ? null : measureChanges({ ...options, mirror, head });
}

/** The figures, as they are stored and shown. */
export function changesOf(measured: MeasuredChanges): Changes {
  return {
    files: measured.filesChanged,
    insertions: measured.insertions,
    deletions: measured.deletions,
    truncated: measured.truncated,
    base_commit: measured.base,
    head_commit: measured.head,
    compared_with: measured.isMergeBase ? "merge_base" : "recorded",
    in_base_branch: measured.isInBase,
  };
}
