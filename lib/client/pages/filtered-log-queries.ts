import { queryOptions } from "@tanstack/react-query";
import type { CallQuery } from "#lib/client/request.ts";
import { type LogWindow, type LogWindowData, type logsQuery, WINDOW_KEPT_MS } from "./log-queries.ts";
import { callTrace, type TraceSource, traceKey } from "./trace-source.ts";

/** Filter on the entries of a run, in the API's terms. */
export type LogsFilter = Pick<CallQuery<"getLogPosition">, "message_type" | "tool_name" | "errors" | "prose" | "q">;

/** Which error to look for, from an entry. */
export type ErrorDirection = "next" | "previous";

/** Parent key of everything read of a run through a filter. */
export function filteredKey(source: TraceSource, filter: LogsFilter): readonly unknown[] {
  return [...traceKey(source), "filtered-logs", filter];
}

/**
 * One window of the entries that match a filter; its `skip` counts these. The list reads it again when it has grown; it never
 * shrinks.
 */
export function filteredLogsQuery(
  source: TraceSource,
  filter: LogsFilter,
  { skip, limit, clip }: LogWindow,
): ReturnType<typeof logsQuery> {
  return queryOptions({
    queryKey: [...filteredKey(source, filter), limit, clip, skip],
    queryFn: async ({ signal }): Promise<LogWindowData> => {
      const query = { ...filter, skip, limit, clip: clip ?? undefined };
      const { logs, total_logs } = await callTrace(source, "getLogs", { query, signal });
      return { logs, totalLogs: total_logs };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: WINDOW_KEPT_MS,
  });
}

/** Number of matching entries among the first `totalLogs` of the run or more. */
export type FilteredCount = { count: number; isComplete: boolean; totalLogs: number };

/** Number of entries that match a filter, from when the run had at least `totalLogs`. Read again when the run has grown. */
export function filteredCountQuery(source: TraceSource, filter: LogsFilter, totalLogs: () => number) {
  return queryOptions({
    queryKey: [...filteredKey(source, filter), "count"],
    queryFn: async ({ signal }): Promise<FilteredCount> => {
      const known = totalLogs();
      const found = await callTrace(source, "getLogPosition", { query: { ...filter, seq: 1 }, signal });
      return { count: found.matching_logs, isComplete: found.complete, totalLogs: known };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Position of an entry among those that match a filter. Not cached: the result of a search may change. */
export function filteredPositionQuery(source: TraceSource, filter: LogsFilter, seq: number) {
  return queryOptions({
    queryKey: [...filteredKey(source, filter), "position", seq],
    queryFn: ({ signal }) => callTrace(source, "getLogPosition", { query: { ...filter, seq }, signal }),
    gcTime: 0,
  });
}

/** The entry of a tool call, by the agent's own id; `seq` is null if there is none. */
export function toolCallQuery(source: TraceSource, toolCallId: string) {
  return queryOptions({
    queryKey: [...traceKey(source), "tool-call", toolCallId],
    queryFn: ({ signal }) => callTrace(source, "getLogPosition", { query: { tool_call_id: toolCallId }, signal }),
    gcTime: 0,
  });
}

/** Tools the run has used, most used first. */
export function logToolsQuery(source: TraceSource) {
  return queryOptions({
    queryKey: [...traceKey(source), "tools"],
    queryFn: ({ signal }) => callTrace(source, "getLogTools", { signal }),
    staleTime: 5_000,
  });
}

/** The nearest error after or before the entry `seq`, among those that match a filter; null if there is none. */
export async function findFilteredError(
  source: TraceSource,
  filter: LogsFilter,
  seq: number,
  direction: ErrorDirection,
): Promise<number | null> {
  const query = { ...filter, errors: "true" } as const;
  const next = await callTrace(source, "getLogPosition", {
    query: { ...query, seq: direction === "next" ? seq + 1 : seq },
  });
  if (direction === "next") return next.seq;
  if (next.skip === 0) return null;
  const { logs } = await callTrace(source, "getLogs", { query: { ...query, skip: next.skip - 1, limit: 1, clip: 1 } });
  return logs[0]?.seq ?? null;
}
