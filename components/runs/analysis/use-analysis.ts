"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { analysisQuery } from "#lib/client/pages/analysis-queries.ts";

/** Minimum interval between readings while a run is live. */
const liveIntervalMs = 3000;
/** Polling interval while a long log is being read. */
const readingIntervalMs = 1000;

type Watched = { orgId: number; runId: number; status: string; totalLogs: number; isShown: boolean };

/** Analysis of a run, read again while its log grows or is still being read; the previous one stays visible until then. */
export function useAnalysis({ orgId, runId, status, totalLogs, isShown }: Watched) {
  const client = useQueryClient();
  const query = useMemo(() => analysisQuery(orgId, runId), [orgId, runId]);
  const result = useQuery({
    ...query,
    enabled: isShown && totalLogs > 0,
    refetchInterval: ({ state: { data } }) =>
      isShown && data !== undefined && data.analysed < data.entries ? readingIntervalMs : false,
  });
  const wanted = `${status} ${totalLogs}`;
  const asked = useRef({ for: wanted, atMs: 0 });
  useEffect(() => {
    if (!isShown || asked.current.for === wanted) return;
    const waitMs = Math.max(0, asked.current.atMs + liveIntervalMs - Date.now());
    const timer = setTimeout(() => {
      asked.current = { for: wanted, atMs: Date.now() };
      void client.invalidateQueries({ queryKey: query.queryKey, exact: true });
    }, waitMs);
    // More steps arrive while waiting: the timer is restarted for the same moment.
    return () => clearTimeout(timer);
  }, [client, isShown, query, wanted]);
  return result;
}
