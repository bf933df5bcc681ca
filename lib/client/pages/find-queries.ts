import { queryOptions } from "@tanstack/react-query";
import type { LogsFilter } from "./filtered-log-queries.ts";
import { type FoundHits, findFiltered, type HitsFrom } from "./find-filtered.ts";
import { callTrace, type TraceSource, traceKey } from "./trace-source.ts";

/** Number of parts in which hits are counted for the map: the same as the outline's. */
const MAP_PARTS = 240;
/** Hits per response: this many steps to the next hit need no further request. */
export const hitsPageSize = 20;
/** Interim results are shown after this long, while the search continues. */
const FIRST_WAIT_MS = 150;
const NEXT_WAIT_MS = 1_000;
/** The first hit is shown after this long, with everything found by then. */
const HITS_WAIT_MS = 40;
/** Maximum wait for a complete count when stepping back. */
const STEP_WAIT_MS = 20_000;
/** Minimum interval between counts while the run grows. */
const COUNT_AGAIN_MS = 1_500;

/** A text search in a run, starting at the entry `around`; `filter` is null if every entry is shown. */
export type Search = { q: string; around: number; filter: LogsFilter | null };

/**
 * Occurrences of a text in a run: the first hits from a position, and the counts. Asked again until everything is counted, and
 * when the run has grown since.
 */
export function findQuery(source: TraceSource, { q, around, filter }: Search, totalLogs: number) {
  return queryOptions({
    queryKey: [...traceKey(source), "find", q, around, filter],
    queryFn: async ({ signal, client, queryKey }): Promise<FoundHits> => {
      if (filter !== null) return await findFiltered(source, filter, q, { around }, hitsPageSize, signal);
      const known = client.getQueryData<FoundHits>(queryKey);
      const wait_ms = known ? NEXT_WAIT_MS : FIRST_WAIT_MS;
      const hits_wait_ms = known?.hits.length ? wait_ms : HITS_WAIT_MS;
      const query = { q, around_seq: around, limit: hitsPageSize, buckets: MAP_PARTS, wait_ms, hits_wait_ms };
      return await callTrace(source, "findInLogs", { query, signal });
    },
    refetchInterval: ({ state: { data } }) => {
      if (data === undefined) return false;
      if (!data.complete) return filter === null ? 1 : FIRST_WAIT_MS;
      return data.total_logs < totalLogs ? COUNT_AGAIN_MS : false;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
  });
}

/** Consecutive hits from a rank or around an entry. Waits until they are known, 20 s at most. */
export function findHits(
  source: TraceSource,
  { q, filter }: Pick<Search, "q" | "filter">,
  from: HitsFrom,
  limit: number,
  signal: AbortSignal,
): Promise<FoundHits> {
  if (filter !== null) return findFiltered(source, filter, q, from, limit, signal);
  const place = "around" in from ? { around_seq: from.around } : { skip: from.skip };
  return callTrace(source, "findInLogs", { query: { q, ...place, limit, wait_ms: STEP_WAIT_MS }, signal });
}
