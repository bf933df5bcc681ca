import type { Claimed } from "#lib/store/store.ts";
import type { Checkout } from "#lib/workspace/checkout.ts";
import type { EngineParts } from "./engine-parts.ts";
import type { WarmSessions } from "./warm-sessions.ts";

/** The checkout of a claimed run, which the run then tells. Throws a WorkspaceError. */
export async function openTurnCheckout(
  { store, workspace, findCredential, warm }: EngineParts & { warm?: WarmSessions },
  { run, repositorySource: source, lease }: Claimed,
  signal: AbortSignal,
): Promise<Checkout> {
  // An agent that is kept works in the old one.
  if (await workspace.isOutdated({ runId: run.id, repositoryId: run.repositoryId })) await warm?.drop(run.id);
  const asked = { runId: run.id, repositoryId: run.repositoryId, source, baseBranch: run.baseBranch };
  const find =
    source === null || findCredential === undefined
      ? {}
      : { findCredential: () => findCredential(run.organizationId, source, signal) };
  const checkout = await workspace.open({ ...asked, ...find }, signal);
  await store.queue.setFigures(lease, {
    branch: checkout.branch,
    baseCommit: checkout.baseCommit,
    ...(checkout.baseBranch === null ? {} : { baseBranch: checkout.baseBranch }),
  });
  return checkout;
}
