import type { Host } from "./host.ts";
import type { HostPullRequest } from "./pull-host.ts";

/**
 * A pull request that was opened before, in its current state on the host. gone: it was deleted, or its number now belongs to
 * another one, as in a recreated repository, which counts from 1 again. unseen: the credential cannot see the repository, so its
 * state is unknown.
 */
export type OwnPull = { kind: "own"; there: HostPullRequest } | { kind: "gone" } | { kind: "unseen" };

/** Finds a pull request by its number, and makes sure that it is the one of this branch. Throws as the host's calls do. */
export async function findOwnPull(
  { pulls }: Pick<Host, "pulls">,
  { fullName, number, headBranch }: { fullName: string; number: number; headBranch: string },
  signal: AbortSignal,
): Promise<OwnPull> {
  const there = await pulls.getPull(fullName, number, signal);
  if (there !== null) return there.head.branch === headBranch ? { kind: "own", there } : { kind: "gone" };
  return { kind: (await pulls.repository(fullName, signal)) === null ? "unseen" : "gone" };
}
