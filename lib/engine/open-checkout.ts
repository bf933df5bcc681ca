import type { Claimed } from "#lib/store/store.ts";
import type { Checkout } from "#lib/workspace/checkout.ts";
import type { EngineParts } from "./engine-parts.ts";
import type { WarmSessions } from "./warm-sessions.ts";

/** Opens the checkout of a claimed run and records its branch in the run. Throws a WorkspaceError. */
export async function openTurnCheckout(
  { store, workspace, findCredential, warm }: EngineParts & { warm?: WarmSessions },
  { run, repositorySource: source, lease }: Claimed,
  signal: AbortSignal,
): Promise<Checkout> {
  // A kept agent works in the old checkout.
  const place = { runId: run.id, repositoryId: run.repositoryId };
  if (warm?.has(run.id) === true && (await workspace.isOutdated(place))) await warm.drop(run.id);
  const asked = { ...place, source, baseBranch: run.baseBranch };
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
