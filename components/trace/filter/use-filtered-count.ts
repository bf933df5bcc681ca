"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import {
  type FilteredCount,
  filteredCountQuery,
  filteredKey,
  type LogsFilter,
} from "#lib/client/filtered-log-queries.ts";
import type { TraceSource } from "#lib/client/trace-source.ts";

/** While a run grows, or a text is still searched for, the count is read again no more often than this. */
const READ_AGAIN_MS = 400;

/**
 * How many entries a filter leaves; null until it is known. It follows the run as it grows. While the search for a text goes on
 * places may still change: what was read of the list is read again when it is done.
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
  const { data, error, dataUpdatedAt, isFetching, refetch } = useQuery(
    filteredCountQuery(source, filter, () => total.current),
  );
  const isBehind = data !== undefined && (data.totalLogs < totalLogs || !data.isComplete) && !isFetching;
  useEffect(() => {
    if (!isBehind) return;
    const waitMs = Math.max(0, dataUpdatedAt + READ_AGAIN_MS - Date.now());
    const timer = setTimeout(() => void refetch(), waitMs);
    return () => clearTimeout(timer);
  }, [isBehind, dataUpdatedAt, refetch]);

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
