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
  const { organizationId } = run;
  const credentialOf =
    findCredential === undefined
      ? undefined
      : (from: string, refused?: string) => findCredential(organizationId, from, signal, refused);
  const find =
    source === null || credentialOf === undefined
      ? {}
      : { findCredential: (refused?: string) => credentialOf(source, refused) };
  const repository =
    run.repositoryId === null
      ? null
      : await store.repositories.find({ organizationId, userId: null }, run.repositoryId);
  const submodules = repository?.fetchSubmodules === true ? { submodules: { findCredential: credentialOf } } : {};
  const checkout = await workspace.open({ ...asked, ...find, ...submodules }, signal);
  await store.queue.setFigures(lease, {
    branch: checkout.branch,
    baseCommit: checkout.baseCommit,
    ...(checkout.baseBranch === null ? {} : { baseBranch: checkout.baseBranch }),
  });
  return checkout;
}
