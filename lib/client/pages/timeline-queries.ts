import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { callTrace, type TraceSource, traceKey } from "./trace-source.ts";

/** A range of time in ms since 1970. */
export type TimeRange = { from: number; to: number };

/** Number of parts of a range: about four pixels each. */
const PARTS = 240;

/**
 * Activity in a run, or in a range of its time; the previous result stays until a new one arrives. Read again when the run has
 * grown.
 */
export function timelineQuery(source: TraceSource, range: TimeRange | null, { skipIdle }: { skipIdle: boolean }) {
  const between = range === null ? {} : { from: instant(range.from), to: instant(range.to) };
  return queryOptions({
    queryKey: [...traceKey(source), "timeline", between, skipIdle],
    queryFn: ({ signal }) =>
      callTrace(source, "getTimeline", {
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
