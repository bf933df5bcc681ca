import type { HostPull } from "#lib/host/host.ts";

/** Where the checkout of a run begins, and what its agent is told of that. */
export type StartingBranch = {
  /** Null for the repository's default branch. */
  baseBranch: string | null;
  /** A sentence; null where there is nothing to tell. */
  told: string | null;
};

/**
 * A run that a pull request asked for begins at the request's own branch. One that is in a fork is not fetched here, and one of a
 * closed request may be gone: these runs begin at the branch that it asks to change. `pull` null: nothing is known of it.
 */
export function startingBranch(pull: HostPull | null): StartingBranch {
  if (pull === null) return { baseBranch: null, told: null };
  const { isOpen, head, baseBranch } = pull;
  const asked = `The pull request asks to merge \`${head.branch}\` into \`${baseBranch}\``;
  if (isOpen && head.isOwn) {
    return { baseBranch: head.branch, told: `${asked}; your checkout begins at \`${head.branch}\`.` };
  }
  const why = head.isOwn
    ? "it is not open any more"
    : "that branch is in another repository, which is not fetched here";
  return { baseBranch, told: `${asked}; ${why}, so your checkout begins at \`${baseBranch}\`.` };
}
