"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { runQuery } from "#lib/client/queries.ts";
import type { RunTail } from "#lib/client/use-run-tail.ts";

/**
 * Follows a run again that somebody else resumed and that has ended again before anybody here looked: it has more entries
 * than are shown, although it is not live.
 */
export function useCaughtUpRun(orgId: number, tail: RunTail): void {
  const { data } = useQuery({ ...runQuery(orgId, tail.run.id), enabled: false });
  const { state, totalLogs, follow } = tail;
  useEffect(() => {
    if (state === "ended" && data !== undefined && data.total_logs > totalLogs) follow(data);
  }, [state, totalLogs, data, follow]);
}
