import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { toast, toastOnce } from "#components/ui/toast-store.ts";
import { describeError } from "#lib/client/client-error.ts";
import type { ErrorDirection } from "#lib/client/pages/filtered-log-queries.ts";
import { findFilteredError, type LogsFilter } from "#lib/client/pages/filtered-log-queries.ts";
import { findError } from "#lib/client/pages/outline-queries.ts";
import type { TraceSource } from "#lib/client/pages/trace-source.ts";

/**
 * Finds the nearest error of a run, among the matching entries if there is a filter. If there is none, or the search fails,
 * shows a message and returns null.
 */
export function useFindError(source: TraceSource, totalLogs: number, filter: LogsFilter | null = null) {
  const client = useQueryClient();
  return useCallback(
    async (seq: number, direction: ErrorDirection): Promise<number | null> => {
      try {
        const found =
          filter === null
            ? await findError(client, { source, totalLogs }, seq, direction)
            : await findFilteredError(source, filter, seq, direction);
        if (found === null)
          toastOnce({ tone: "info", title: `No errors ${direction === "next" ? "after" : "before"} this step` });
        return found;
      } catch (error) {
        toast({ tone: "error", title: "The errors could not be looked up", description: describeError(error).detail });
        return null;
      }
    },
    [client, source, totalLogs, filter],
  );
}
