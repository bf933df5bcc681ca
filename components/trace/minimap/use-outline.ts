import { useQuery } from "@tanstack/react-query";
import { useReadAgain } from "#lib/client/live/use-read-again.ts";
import type { LogsFilter } from "#lib/client/pages/filtered-log-queries.ts";
import { outlineQuery } from "#lib/client/pages/outline-queries.ts";
import type { TraceSource } from "#lib/client/pages/trace-source.ts";
import type { Outline } from "#lib/contract/logs/outline.ts";

/** Minimum interval between readings of the outline while the run grows. */
const READ_AGAIN_MS = 2000;

/** Outline of a run, null until it is loaded. Follows the run as it grows; nothing is read while not enabled. */
export function useOutline(
  source: TraceSource,
  totalLogs: number,
  enabled: boolean,
  filter: LogsFilter | null = null,
): Outline | null {
  const answer = useQuery({ ...outlineQuery(source, filter), enabled });
  const { data, isFetching } = answer;
  const isOld = data !== undefined && (data.total_logs < totalLogs || data.complete === false);
  useReadAgain(answer, enabled && isOld && !isFetching, READ_AGAIN_MS);
  return data ?? null;
}
