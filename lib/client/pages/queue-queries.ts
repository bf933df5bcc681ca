import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { browserTransport, call } from "#lib/client/request.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { queryKeys } from "./query-keys.ts";

/**
 * The turns of a run that have not started. Read again when the run's counts change, and periodically: others may edit them.
 */
export function queueQuery(orgId: number, run: Run, transport = browserTransport) {
  return queryOptions({
    queryKey: [...queueKey(orgId, run.id), run.status, run.turns, run.queued_turns],
    queryFn: ({ signal }) =>
      call("listQueue", { params: { org_id: orgId, agent_run_id: run.id }, query: { limit: 100 }, signal }, transport),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
    staleTime: 0,
  });
}

/** Key of everything cached of a run's queue. */
export function queueKey(orgId: number, runId: number) {
  return [...queryKeys.run(orgId, runId), "queue"] as const;
}
