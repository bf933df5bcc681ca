import { queryOptions } from "@tanstack/react-query";
import { getLogPosition, getLogTools } from "#lib/contract/log-position.ts";
import type { QueryInputOf } from "#lib/contract/operation.ts";
import { getLogs } from "#lib/contract/run-operations.ts";
import { type LogWindow, type LogWindowData, type logsQuery, WINDOW_KEPT_MS } from "./log-queries.ts";
import type { ErrorDirection } from "./outline-queries.ts";
import { callTrace, type TraceSource, traceKey } from "./trace-source.ts";

/** Which entries of a run are wanted, in the words of the API. */
export type LogsFilter = Pick<
  QueryInputOf<typeof getLogPosition>,
  "message_type" | "tool_name" | "errors" | "prose" | "q"
>;

/** The key above everything that is read of a run through a filter. */
export function filteredKey(source: TraceSource, filter: LogsFilter): readonly unknown[] {
  return [...traceKey(source), "filtered-logs", filter];
}

/**
 * One window of the entries that a filter leaves; its `skip` counts these. It is read again by whoever sees that the list has
 * grown, and never shrinks.
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
      const { logs, total_logs } = await callTrace(source, getLogs, { query, signal });
      return { logs, totalLogs: total_logs };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: WINDOW_KEPT_MS,
  });
}

/** How many entries a filter leaves, of the first `totalLogs` of the run or more. */
export type FilteredCount = { count: number; isComplete: boolean; totalLogs: number };

/** The count of a filter, as it was when the run had at least so many entries. Read again by whoever sees that the run has grown. */
export function filteredCountQuery(source: TraceSource, filter: LogsFilter, totalLogs: () => number) {
  return queryOptions({
    queryKey: [...filteredKey(source, filter), "count"],
    queryFn: async ({ signal }): Promise<FilteredCount> => {
      const known = totalLogs();
      const found = await callTrace(source, getLogPosition, { query: { ...filter, seq: 1 }, signal });
      return { count: found.matching_logs, isComplete: found.complete, totalLogs: known };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Where an entry stands among those that a filter leaves. It is not kept: the answer of a search may change. */
export function filteredPositionQuery(source: TraceSource, filter: LogsFilter, seq: number) {
  return queryOptions({
    queryKey: [...filteredKey(source, filter), "position", seq],
    queryFn: ({ signal }) => callTrace(source, getLogPosition, { query: { ...filter, seq }, signal }),
    gcTime: 0,
  });
}

/** The entry that a tool call became, by the agent's own id; `seq` is null where there is none. */
export function toolCallQuery(source: TraceSource, toolCallId: string) {
  return queryOptions({
    queryKey: [...traceKey(source), "tool-call", toolCallId],
    queryFn: ({ signal }) => callTrace(source, getLogPosition, { query: { tool_call_id: toolCallId }, signal }),
    gcTime: 0,
  });
}

/** The tools that a run has used, the most used first. */
export function logToolsQuery(source: TraceSource) {
  return queryOptions({
    queryKey: [...traceKey(source), "tools"],
    queryFn: ({ signal }) => callTrace(source, getLogTools, { signal }),
    staleTime: 5_000,
  });
}

/** The nearest entry with an error after or before the entry `seq`, among those that a filter leaves; null where there is none. */
export async function findFilteredError(
  source: TraceSource,
  filter: LogsFilter,
  seq: number,
  direction: ErrorDirection,
): Promise<number | null> {
  const query = { ...filter, errors: "true" } as const;
  const next = await callTrace(source, getLogPosition, {
    query: { ...query, seq: direction === "next" ? seq + 1 : seq },
  });
  if (direction === "next") return next.seq;
  if (next.skip === 0) return null;
  const { logs } = await callTrace(source, getLogs, { query: { ...query, skip: next.skip - 1, limit: 1, clip: 1 } });
  return logs[0]?.seq ?? null;
}
