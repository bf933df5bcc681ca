import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { getTimeline } from "#lib/contract/timeline.ts";
import { callTrace, type TraceSource, traceKey } from "./trace-source.ts";

/** A range of time in ms since 1970. */
export type TimeRange = { from: number; to: number };

/** Into how many parts a range is cut: about four pixels each. */
const PARTS = 240;

/**
 * What was going on in a run, or in a range of its time; the answer before stays until a new one is here. Read again by whoever sees
 * that the run has grown.
 */
export function timelineQuery(source: TraceSource, range: TimeRange | null, { skipIdle }: { skipIdle: boolean }) {
  const between = range === null ? {} : { from: instant(range.from), to: instant(range.to) };
  return queryOptions({
    queryKey: [...traceKey(source), "timeline", between, skipIdle],
    queryFn: ({ signal }) =>
      callTrace(source, getTimeline, {
        query: { ...between, buckets: PARTS, ...(skipIdle ? { skip_idle: "true" } : {}) },
        signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}
