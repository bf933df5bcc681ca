import { queryOptions } from "@tanstack/react-query";
import type { LogEntry, MessageType } from "#lib/contract/logs/entry.ts";
import { callTrace, type TraceSource, traceKey } from "./trace-source.ts";

/** The last entry of a type before the entry `seq`, complete; null if there is none. Entries never change: it is read once. */
export function previousEntryQuery(source: TraceSource, type: MessageType, seq: number) {
  return queryOptions({
    queryKey: [...traceKey(source), "previous", type, seq],
    queryFn: async ({ signal }): Promise<LogEntry | null> => {
      const { skip } = await callTrace(source, "getLogPosition", { query: { message_type: type, seq }, signal });
      if (skip === 0) return null;
      const query = { message_type: type, skip: skip - 1, limit: 1 };
      const { logs } = await callTrace(source, "getLogs", { query, signal });
      return logs[0] ?? null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}
