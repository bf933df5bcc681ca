import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/client/request.ts";
import { queryKeys } from "./query-keys.ts";

/** Findings about a run's log, as far as it has been read. */
export function analysisQuery(orgId: number, runId: number) {
  return queryOptions({
    queryKey: [...queryKeys.run(orgId, runId), "analysis"],
    queryFn: ({ signal }) => call("getAnalysis", { params: { org_id: orgId, agent_run_id: runId }, signal }),
  });
}
