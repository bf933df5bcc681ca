import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { noticeEntry } from "#lib/entry/notice.ts";
import type { Claimed } from "#lib/store/store.ts";
import type { Checkout } from "#lib/workspace/checkout.ts";
import type { LeftOut } from "#lib/workspace/left-out.ts";
import { checkoutRemadeEntry } from "./ending-entries.ts";
import type { EngineParts } from "./engine-parts.ts";
import type { WarmSessions } from "./warm-sessions.ts";

const notFetched = "The repository could not be fetched: the branches here are those that were fetched before.";

/**
 * Opens the checkout of a claimed run and records its branch in the run; `note` gets what people must know about it. Throws a
 * WorkspaceError.
 */
export async function openTurnCheckout(
  { store, workspace, findCredential, warm, logger }: EngineParts & { warm?: WarmSessions },
  claimed: Claimed,
  signal: AbortSignal,
  note: (entry: NewEntry) => void = () => undefined,
): Promise<Checkout> {
  const { run, lease } = claimed;
  // A kept agent works in the old checkout.
  const place = { runId: run.id, repositoryId: run.repositoryId };
  if (warm?.has(run.id) === true && (await workspace.isOutdated(place))) await warm.drop(run.id);
  const noteDefault = async ({ defaultBranch }: { defaultBranch: string | null }) => {
    if (run.repositoryId !== null) await store.repositories.setDefaultBranch(run.repositoryId, defaultBranch);
  };
  const onProblem = (reason: string) => {
    logger.warn({ run: run.id, reason }, "the repository could not be fetched");
    note(noticeEntry("Repository not fetched", `${notFetched} ${reason}`));
  };
  const onLost = (lost: LeftOut[]) => note(checkoutRemadeEntry(lost));
  const { organizationId } = run;
  const repository =
    run.repositoryId === null
      ? null
      : await store.repositories.find({ organizationId, userId: null }, run.repositoryId);
  const ofSubmodules =
    findCredential === undefined
      ? undefined
      : (from: string, refused?: string) => findCredential(organizationId, from, signal, refused);
  const submodules = repository?.fetchSubmodules === true ? { submodules: { findCredential: ofSubmodules } } : {};
  const asked = { runId: run.id, baseBranch: run.baseBranch, onFetched: noteDefault, onProblem, onLost, ...submodules };
  const checkout = await workspace.open({ ...asked, ...sourceOf({ findCredential }, claimed, signal) }, signal);
  await store.queue.setFigures(lease, {
    branch: checkout.branch,
    baseCommit: checkout.baseCommit,
    ...(checkout.baseBranch === null ? {} : { baseBranch: checkout.baseBranch }),
  });
  return checkout;
}

/** Where a claimed run's repository comes from, for the workspace. */
export function sourceOf(
  { findCredential }: Pick<EngineParts, "findCredential">,
  { run: { organizationId, repositoryId }, repositorySource: source }: Claimed,
  signal: AbortSignal,
) {
  const find =
    source === null || findCredential === undefined
      ? undefined
      : (refused?: string) => findCredential(organizationId, source, signal, refused);
  return { repositoryId, source, findCredential: find };
}
