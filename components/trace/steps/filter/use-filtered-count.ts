"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useReadAgain } from "#lib/client/live/use-read-again.ts";
import {
  type FilteredCount,
  filteredCountQuery,
  filteredKey,
  type LogsFilter,
} from "#lib/client/pages/filtered-log-queries.ts";
import type { TraceSource } from "#lib/client/pages/trace-source.ts";

/** Minimum interval between counts while a run grows, or a text search is running. */
const READ_AGAIN_MS = 400;

/**
 * Number of entries that match a filter; null until it is known. Follows the run as it grows. While a text search is running,
 * positions may still change: when it is done, loaded parts of the list are read again.
 */
export function useFilteredCount(
  source: TraceSource,
  filter: LogsFilter,
  totalLogs: number,
): { found: FilteredCount | null; error: Error | null; retry: () => void } {
  const client = useQueryClient();
  const total = useRef(totalLogs);
  useEffect(() => {
    total.current = totalLogs;
  }, [totalLogs]);
  const answer = useQuery(filteredCountQuery(source, filter, () => total.current));
  const { data, error, isFetching, refetch } = answer;
  const isBehind = data !== undefined && (data.totalLogs < totalLogs || !data.isComplete) && !isFetching;
  useReadAgain(answer, isBehind, READ_AGAIN_MS);

  const wasComplete = useRef(true);
  const isComplete = data?.isComplete ?? true;
  useEffect(() => {
    if (isComplete && !wasComplete.current) {
      const queryKey = filteredKey(source, filter);
      void client.invalidateQueries({ queryKey, predicate: (query) => typeof query.queryKey.at(-1) === "number" });
    }
    wasComplete.current = isComplete;
  }, [client, source, filter, isComplete]);
  return { found: data ?? null, error: data === undefined ? error : null, retry: () => void refetch() };
}
