import { queryOptions } from "@tanstack/react-query";
import { queryKeys } from "./query-keys.ts";
import { browserTransport, call } from "./request.ts";
import { callTrace, type TraceSource, traceKey } from "./trace-source.ts";

/** One run. */
export function runQuery(orgId: number, runId: number, transport = browserTransport) {
  return traceRunQuery({ kind: "run", orgId, runId }, transport);
}

/** The run a source leads to. */
export function traceRunQuery(source: TraceSource, transport = browserTransport) {
  return queryOptions({
    queryKey: [...traceKey(source), "run"],
    queryFn: ({ signal }) => callTrace(source, "getRun", { signal }, transport),
  });
}

/** A run's changes for display: a unified diff without the contents of binary files, empty if nothing changed. */
export function diffQuery(orgId: number, runId: number, transport = browserTransport) {
  return queryOptions({
    queryKey: [...queryKeys.run(orgId, runId), "diff"],
    queryFn: ({ signal }) =>
      call(
        "getDiff",
        { params: { org_id: orgId, agent_run_id: runId }, query: { binary: "false" }, signal },
        transport,
      ),
  });
}
