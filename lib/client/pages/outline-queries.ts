import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { isLive } from "#lib/client/live/is-live.ts";
import { skipMax } from "#lib/contract/bounds.ts";
import type { Outline } from "#lib/contract/logs/outline.ts";
import type { ErrorDirection, LogsFilter } from "./filtered-log-queries.ts";
import { traceRunQuery } from "./run-queries.ts";
import { callTrace, type TraceSource, traceKey } from "./trace-source.ts";

/** Number of parts of the map beside the steps: about three pixels each. */
const MAP_PARTS = 240;

/** Outline of a whole run; with a filter, how much of each part matches. Read again when the run has grown. */
export function outlineQuery(source: TraceSource, filter: LogsFilter | null = null) {
  return queryOptions({
    queryKey: filter === null ? [...traceKey(source), "outline"] : [...traceKey(source), "filtered-outline", filter],
    queryFn: ({ signal }) => callTrace(source, "getOutline", { query: { ...filter, buckets: MAP_PARTS }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/**
 * How long the server's response about the nearest error is reused, in milliseconds: a key that is held down asks no more
 * often.
 */
const answerHoldsMs = 1000;

/**
 * The nearest error after or before the entry `seq`, or null. Asks the server only if the map is too coarse, or for what comes
 * after the end known here of a live run: `totalLogs` is from the last render.
 */
export async function findError(
  client: QueryClient,
  { source, totalLogs }: { source: TraceSource; totalLogs: number },
  seq: number,
  direction: ErrorDirection,
): Promise<number | null> {
  const isNext = direction === "next";
  const run = client.getQueryData(traceRunQuery(source).queryKey);
  const knownLogs = run === undefined || isLive(run) ? Number.POSITIVE_INFINITY : Math.max(totalLogs, run.total_logs);
  if (isNext ? seq >= Math.min(knownLogs, skipMax) : seq <= 1) return null;
  const outline = client.getQueryData(outlineQuery(source).queryKey);
  const known = outline === undefined ? undefined : nearestError(outline, knownLogs, seq, direction);
  if (known !== undefined) return known;
  const range = isNext ? { from_seq: seq + 1 } : { to_seq: seq - 1 };
  const found = await client.fetchQuery({
    queryKey: [...traceKey(source), "nearest-error", range],
    queryFn: ({ signal }) => callTrace(source, "getOutline", { query: { buckets: 1, ...range }, signal }),
    staleTime: answerHoldsMs,
    gcTime: answerHoldsMs,
  });
  const [rest] = found.buckets;
  return (isNext ? rest?.first_error_seq : rest?.last_error_seq) ?? null;
}

/**
 * The nearest error after or before `seq` according to an outline: its seq, null for none, undefined if it is too coarse to
 * say. `totalLogs` is the run's number of entries; infinite while it may have more than is known here.
 */
export function nearestError(
  { buckets, total_logs }: Outline,
  totalLogs: number,
  seq: number,
  direction: ErrorDirection,
): number | null | undefined {
  if (direction === "next") {
    for (const { to_seq, first_error_seq: first, last_error_seq: last } of buckets) {
      if (to_seq <= seq || first === null || last === null || last <= seq) continue;
      return first > seq ? first : undefined;
    }
    return total_logs >= totalLogs ? null : undefined;
  }
  if (seq - 1 > total_logs) return undefined;
  for (const { from_seq, first_error_seq: first, last_error_seq: last } of buckets.toReversed()) {
    if (from_seq >= seq || first === null || last === null || first >= seq) continue;
    return last < seq ? last : undefined;
  }
  return null;
}
