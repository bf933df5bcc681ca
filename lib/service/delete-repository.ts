import { ApiError, notFound } from "#lib/contract/error.ts";
import { recordAct } from "./audit.ts";
import { findRepository, repositoryObject } from "./repositories.ts";
import type { OrganizationContext } from "./service-context.ts";

/** Runs deleted in one transaction, which blocks all other writes. */
const runsAtOnce = 100;

/**
 * Deletes a repository with its runs, some at a time: 10,000 of them in one transaction would block every other write. 409 while
 * one of its runs is live.
 */
export async function deleteRepository(
  context: OrganizationContext,
  { params }: { params: { repo_id: number } },
): Promise<{ repo_id: number; deleted_runs: number }> {
  const { access } = context;
  const repository = await findRepository(context, params.repo_id);
  let deleted = 0;
  for (;;) {
    const { count, isDone } = await context.store.transaction(async (store) => {
      const some = await store.removals.removeRunsOf(access, repository.id, runsAtOnce);
      if ("refused" in some) {
        const detail = `Run ${some.runId} has not ended: cancel it first.`;
        throw new ApiError("conflict", detail, { agentRunId: some.runId });
      }
      const count = some.removed.length;
      if (count > 0) {
        // Each part has its own record: the next part may be refused, or never happen.
        const [first_run_id, last_run_id] = [Math.min(...some.removed), Math.max(...some.removed)];
        const details = { deleted_runs: count, first_run_id, last_run_id };
        await recordAct(store, context, { act: "run.deleted", object: repositoryObject(repository), details });
        return { count, isDone: false };
      }
      if (!(await store.removals.removeRepository(access, repository.id))) throw notFound("Repository");
      const details = { deleted_runs: deleted };
      await recordAct(store, context, { act: "repository.removed", object: repositoryObject(repository), details });
      return { count, isDone: true };
    });
    deleted += count;
    if (isDone) return { repo_id: repository.id, deleted_runs: deleted };
  }
}
