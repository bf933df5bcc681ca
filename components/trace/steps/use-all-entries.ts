import { useCallback } from "react";
import { densePlaces } from "#components/feed/places.ts";
import { useAllWindows } from "#components/trace/reader/use-log-windows.ts";
import type { TraceSource } from "#lib/client/pages/trace-source.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import type { EntrySource } from "./entry-source.ts";
import { useFindError } from "./use-find-error.ts";

/** The list of all entries of a run. */
export function useAllEntries(source: TraceSource, totalLogs: number, recent: readonly LogEntry[]): EntrySource {
  const windowQuery = useAllWindows(source);
  const placesOf = useCallback(() => densePlaces(totalLogs), [totalLogs]);
  const findError = useFindError(source, totalLogs);
  const counted = { count: totalLogs, isCounted: true, countedLogs: null };
  return { windowQuery, placesOf, ...counted, recent, hasGroups: true, findError };
}
