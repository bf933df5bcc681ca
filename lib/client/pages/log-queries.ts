import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { browserTransport, type Transport } from "#lib/client/request.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { callTrace, type TraceSource, traceKey } from "./trace-source.ts";

/** Range of a run's entries: those with seq `skip + 1` to `skip + limit`, strings cut at `clip` characters (null: uncut). */
export type LogWindow = { skip: number; limit: number; clip: number | null };

/** The existing entries of a window, by seq without gaps, and the run's number of entries when they were read. */
export type LogWindowData = { logs: LogEntry[]; totalLogs: number };

/** How long an unused window is cached: long enough to scroll back, short enough for runs of a million entries. */
export const WINDOW_KEPT_MS = 30_000;

/** The window of a given size that contains an entry. */
export function windowOf(seq: number, limit: number, clip: number | null): LogWindow {
  return { skip: Math.floor((seq - 1) / limit) * limit, limit, clip };
}

/** One window of a run's entries. A full one never changes; others grow by {@link addLiveEntries}, and never shrink. */
export function logsQuery(source: TraceSource, window: LogWindow, transport: Transport = browserTransport) {
  const { skip, limit, clip } = window;
  return queryOptions({
    queryKey: [...traceKey(source), "logs", limit, clip, skip],
    queryFn: async ({ signal }): Promise<LogWindowData> => {
      const query = { skip, limit, clip: clip ?? undefined };
      const { logs, total_logs } = await callTrace(source, "getLogs", { query, signal }, transport);
      return { logs, totalLogs: total_logs };
    },
    // A response that was on its way while live entries arrived has fewer of them. Entries are immutable and dense, so the
    // longer list includes the shorter one.
    structuralSharing: (before, after) => longerWindow(before, after),
    staleTime: ({ state }) => (state.data && state.data.logs.length >= limit ? Number.POSITIVE_INFINITY : 2_000),
    gcTime: WINDOW_KEPT_MS,
  });
}

function longerWindow(before: unknown, after: unknown): unknown {
  return isWindowData(before) && isWindowData(after) && before.logs.length > after.logs.length ? before : after;
}

function isWindowData(value: unknown): value is LogWindowData {
  return typeof value === "object" && value !== null && "logs" in value && Array.isArray(value.logs);
}

/** One complete entry. It never changes. */
export function logEntryQuery(source: TraceSource, seq: number) {
  return queryOptions({
    queryKey: [...traceKey(source), "entry", seq],
    queryFn: ({ signal }) => callTrace(source, "getLogEntry", { params: { seq }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: WINDOW_KEPT_MS,
  });
}

/**
 * Adds live entries, ascending by seq, to the cached windows they belong to. A window that lacks an earlier entry is read
 * again; an uncached one is created only if its first entry is among them.
 */
export function addLiveEntries(
  client: QueryClient,
  source: TraceSource,
  { limit, clip }: { limit: number; clip: number | null },
  entries: readonly LogEntry[],
): void {
  // Once for all windows of a run: the defaults of a key are never removed, and each access to the cache compares them all.
  client.setQueryDefaults([...traceKey(source), "logs"], { gcTime: WINDOW_KEPT_MS });
  for (const [skip, members] of Map.groupBy(entries, ({ seq }) => windowOf(seq, limit, clip).skip)) {
    const options = logsQuery(source, { skip, limit, clip });
    const known = client.getQueryData(options.queryKey)?.logs ?? [];
    const fresh = members.filter(({ seq }) => seq > skip + known.length);
    const [first] = fresh;
    const last = fresh.at(-1);
    if (first === undefined || last === undefined) continue;
    if (first.seq === skip + known.length + 1) {
      client.setQueryData(options.queryKey, { logs: [...known, ...fresh], totalLogs: last.seq });
    } else {
      void client.invalidateQueries({ queryKey: options.queryKey, exact: true });
    }
  }
}

/** Reads the shown windows that are not full again: after entries were missed on the stream. */
export function refreshOpenWindows(client: QueryClient, source: TraceSource, limit: number): void {
  void client.invalidateQueries({
    queryKey: [...traceKey(source), "logs", limit],
    predicate: ({ state }) => isWindowData(state.data) && state.data.logs.length < limit,
  });
}
