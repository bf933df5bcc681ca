import { queryOptions } from "@tanstack/react-query";
import { findInLogs } from "#lib/contract/find.ts";
import type { LogsFilter } from "./filtered-log-queries.ts";
import { type FoundHits, findFiltered, type HitsFrom } from "./find-filtered.ts";
import { callTrace, type TraceSource, traceKey } from "./trace-source.ts";

/** Into how many parts the hits are counted for the map: the same as the outline's. */
const MAP_PARTS = 240;
/** Hits of one answer: so many steps to the next hit need no further request. */
export const hitsPageSize = 20;
/** What is known after this long is shown, while the search goes on. */
const FIRST_WAIT_MS = 150;
const NEXT_WAIT_MS = 1_000;
/** The first hit is gone to after this long: all that is found by then comes with it. */
const HITS_WAIT_MS = 40;
/** Who steps back waits for all to be counted, this long at most. */
const STEP_WAIT_MS = 20_000;
/** While the run grows, its hits are counted again no more often than this. */
const COUNT_AGAIN_MS = 1_500;

/** A text looked for in a run, from the entry `around` on; `filter` is null where every entry is shown. */
export type Search = { q: string; around: number; filter: LogsFilter | null };

/**
 * Where in a run a text occurs: the first hits from a place on and the counts. Asked again until all is counted, and
 * when the run has grown beyond what was counted.
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
      return await callTrace(source, findInLogs, { query, signal });
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

/** Consecutive hits from a rank or around an entry. Waits until that is known, 20 s at most. */
export function findHits(
  source: TraceSource,
  { q, filter }: Pick<Search, "q" | "filter">,
  from: HitsFrom,
  limit: number,
  signal: AbortSignal,
): Promise<FoundHits> {
  if (filter !== null) return findFiltered(source, filter, q, from, limit, signal);
  const place = "around" in from ? { around_seq: from.around } : { skip: from.skip };
  return callTrace(source, findInLogs, { query: { q, ...place, limit, wait_ms: STEP_WAIT_MS }, signal });
}
