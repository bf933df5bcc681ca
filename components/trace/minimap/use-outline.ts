import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { LogsFilter } from "#lib/client/filtered-log-queries.ts";
import { outlineQuery } from "#lib/client/outline-queries.ts";
import type { TraceSource } from "#lib/client/trace-source.ts";
import type { Outline } from "#lib/contract/outline.ts";

/** While the run grows, its outline is read again no more often than this. */
const READ_AGAIN_MS = 2000;

/** The outline of a run, null until it is here. It follows the run as it grows; nothing is read while not enabled. */
export function useOutline(
  source: TraceSource,
  totalLogs: number,
  enabled: boolean,
  filter: LogsFilter | null = null,
): Outline | null {
  const { data, dataUpdatedAt, isFetching, refetch } = useQuery({ ...outlineQuery(source, filter), enabled });
  const isOld = data !== undefined && (data.total_logs < totalLogs || data.complete === false);
  const isBehind = enabled && isOld && !isFetching;
  useEffect(() => {
    if (!isBehind) return;
    const waitMs = Math.max(0, dataUpdatedAt + READ_AGAIN_MS - Date.now());
    const timer = setTimeout(() => void refetch(), waitMs);
    return () => clearTimeout(timer);
  }, [isBehind, dataUpdatedAt, refetch]);
  return data ?? null;
}
