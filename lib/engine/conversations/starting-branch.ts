import type { HostPull } from "#lib/host/host.ts";

/** Where a run's checkout begins, and what its agent is told about it. */
export type StartingBranch = {
  /** Null for the repository's default branch. */
  baseBranch: string | null;
  /** A sentence; null if there is nothing to tell. */
  note: string | null;
};

/**
 * A run that a pull request asked for begins at the pull request's own branch. If that branch is in a fork, was deleted, or
 * belongs to a closed pull request, the run begins at the target branch. `pull` null: nothing is known of it.
 */
export function startingBranch(pull: HostPull | null): StartingBranch {
  if (pull === null) return { baseBranch: null, note: null };
  const { isOpen, head, baseBranch } = pull;
  const asked = `The pull request asks to merge \`${head.branch}\` into \`${baseBranch}\``;
  if (isOpen && head.isOwn && !head.isGone) {
    return { baseBranch: head.branch, note: `${asked}; your checkout begins at \`${head.branch}\`.` };
  }
  const why = !head.isOwn
    ? "that branch is in another repository, which is not fetched here"
    : head.isGone
      ? "that branch was deleted"
      : "it is no longer open";
  return { baseBranch, note: `${asked}; ${why}, so your checkout begins at \`${baseBranch}\`.` };
}
