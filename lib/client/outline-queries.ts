import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { getOutline, type Outline } from "#lib/contract/outline.ts";
import { skipMax } from "#lib/contract/page.ts";
import type { LogsFilter } from "./filtered-log-queries.ts";
import { isLive } from "./is-live.ts";
import { traceRunQuery } from "./run-queries.ts";
import { callTrace, type TraceSource, traceKey } from "./trace-source.ts";

/** Into how many parts a run is cut for the map beside its steps: about three pixels each. */
const MAP_PARTS = 240;

/** A whole run at a glance, with a filter how much of each part it leaves. Read again by whoever sees that the run has grown. */
export function outlineQuery(source: TraceSource, filter: LogsFilter | null = null) {
  return queryOptions({
    queryKey: filter === null ? [...traceKey(source), "outline"] : [...traceKey(source), "filtered-outline", filter],
    queryFn: ({ signal }) => callTrace(source, getOutline, { query: { ...filter, buckets: MAP_PARTS }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Which of the errors is looked for, from an entry on. */
export type ErrorDirection = "next" | "previous";

/** For how long an answer of the server about the nearest error holds, in milliseconds: a key that is held down asks no more often. */
const answerHoldsMs = 1000;

/**
 * The nearest entry with an error after or before the entry `seq`, or null. Asks the server only where the map is too coarse, and for
 * what comes after the end that is known here of a run that works: `totalLogs` is that of the last time the page was drawn.
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
    queryFn: ({ signal }) => callTrace(source, getOutline, { query: { buckets: 1, ...range }, signal }),
    staleTime: answerHoldsMs,
    gcTime: answerHoldsMs,
  });
  const [rest] = found.buckets;
  return (isNext ? rest?.first_error_seq : rest?.last_error_seq) ?? null;
}

/**
 * What an outline tells of the nearest error after or before `seq`: its seq, null for none, undefined where it is too coarse to say.
 * `totalLogs` is how many entries the run has; infinite while it may have more than anybody here knows.
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
