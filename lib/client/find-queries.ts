import { queryOptions } from "@tanstack/react-query";
import { type Found, findInLogs } from "#lib/contract/find.ts";
import { callTrace, type TraceSource, traceKey } from "./trace-source.ts";

/** Into how many parts the hits are counted for the map: the same as the outline's. */
const MAP_PARTS = 240;
/** Hits of one answer: so many steps to the next hit need no further request. */
const PAGE_HITS = 20;
/** What is known after this long is shown, while the search goes on. */
const FIRST_WAIT_MS = 150;
const NEXT_WAIT_MS = 1_000;
/** While the run grows, its hits are counted again no more often than this. */
const COUNT_AGAIN_MS = 1_500;

/** A text looked for in a run, from the entry `around` on. */
export type Search = { q: string; around: number };

/**
 * Where in a run a text occurs: the first hits from a place on and the counts. Asked again until all is counted, and
 * when the run has grown beyond what was counted.
 */
export function findQuery(source: TraceSource, { q, around }: Search, totalLogs: number) {
  return queryOptions({
    queryKey: [...traceKey(source), "find", q, around],
    queryFn: async ({ signal, client, queryKey }): Promise<Found> => {
      const isFirst = client.getQueryData(queryKey) === undefined;
      return await callTrace(source, findInLogs, {
        query: {
          q,
          around_seq: around,
          limit: PAGE_HITS,
          buckets: MAP_PARTS,
          wait_ms: isFirst ? FIRST_WAIT_MS : NEXT_WAIT_MS,
        },
        signal,
      });
    },
    refetchInterval: ({ state: { data } }) => {
      if (data === undefined) return false;
      if (!data.complete) return 1;
      return data.total_logs < totalLogs ? COUNT_AGAIN_MS : false;
    },
    refetchIntervalInBackground: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
  });
}

/** Consecutive hits: from the rank `skip` on (from 0), or around an entry. Waits until that is known, 20 s at most. */
export function findHits(
  source: TraceSource,
  q: string,
  from: { skip: number; limit?: number } | { around: number },
  signal: AbortSignal,
): Promise<Found> {
  const place = "around" in from ? { around_seq: from.around } : { skip: from.skip };
  const limit = "limit" in from && from.limit !== undefined ? Math.min(from.limit, PAGE_HITS) : PAGE_HITS;
  return callTrace(source, findInLogs, { query: { q, ...place, limit, wait_ms: 20_000 }, signal });
}

/** How many hits one answer has at most. */
export const hitsPageSize = PAGE_HITS;
