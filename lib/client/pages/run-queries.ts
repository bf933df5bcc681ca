import { queryOptions } from "@tanstack/react-query";
import { browserTransport } from "#lib/client/request.ts";
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
