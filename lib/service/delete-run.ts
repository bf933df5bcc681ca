import { ApiError, notFound } from "#lib/contract/error.ts";
import { recordAct } from "./audit.ts";
import { requireMatch } from "./if-match.ts";
import { getRun } from "./runs.ts";
import type { OrganizationContext } from "./service-context.ts";

/** Deletes a run that has ended, with the runs that analyzed it. 409 while one of them is live. */
export async function deleteRun(
  context: OrganizationContext,
  { params }: { params: { agent_run_id: number } },
): Promise<{ agent_run_id: number; deleted_run_ids: number[] }> {
  const runId = params.agent_run_id;
  return await context.store.transaction(async (store) => {
    await requireMatch(context, () => getRun({ ...context, store }, { params }));
    const done = await store.removals.removeRun(context.access, runId);
    if ("refused" in done) {
      if (done.refused === "absent") throw notFound("Agent run");
      const detail =
        done.runId === runId
          ? "The run has not ended: cancel it first."
          : `Run ${done.runId}, which analyzes it, has not ended: cancel that first.`;
      throw new ApiError("conflict", detail, { agentRunId: done.runId });
    }
    // Records nothing that the run said, because the audit log outlives the run.
    for (const id of done.removed) await recordAct(store, context, { act: "run.deleted", object: { type: "run", id } });
    return { agent_run_id: runId, deleted_run_ids: done.removed };
  });
}
