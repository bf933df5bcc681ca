import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { listToasts, toast } from "#components/ui/toast-store.ts";
import { describeError } from "#lib/client/client-error.ts";
import { findFilteredError, type LogsFilter } from "#lib/client/filtered-log-queries.ts";
import { type ErrorDirection, findError } from "#lib/client/outline-queries.ts";
import type { TraceSource } from "#lib/client/trace-source.ts";

/** Looks for the nearest error of a run, with a filter among the entries that it leaves. Where there is none, or it cannot be found out, says so and gives null. */
export function useFindError(source: TraceSource, totalLogs: number, filter: LogsFilter | null = null) {
  const client = useQueryClient();
  return useCallback(
    async (seq: number, direction: ErrorDirection): Promise<number | null> => {
      try {
        const found =
          filter === null
            ? await findError(client, { source, totalLogs }, seq, direction)
            : await findFilteredError(source, filter, seq, direction);
        if (found === null) sayOnce(`No errors ${direction === "next" ? "after" : "before"} this step`);
        return found;
      } catch (error) {
        toast({ tone: "error", title: "The errors could not be looked up", description: describeError(error).detail });
        return null;
      }
    },
    [client, source, totalLogs, filter],
  );
}

/** A key that is held down says it once. */
function sayOnce(title: string): void {
  if (!listToasts().some((shown) => shown.title === title)) toast({ tone: "info", title });
}
