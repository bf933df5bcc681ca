"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { type ListPlaces, placeAmong, placeFrom } from "#components/trace/list-places.ts";
import { listToasts, toast } from "#components/ui/toast-store.ts";
import { filteredPositionQuery, type LogsFilter } from "#lib/client/filtered-log-queries.ts";
import type { TraceSource } from "#lib/client/trace-source.ts";
import type { LogEntry } from "#lib/contract/entry.ts";

/** The places of the list that a filter leaves: what is not at hand is asked of the server. */
export function useFilteredPlaces(source: TraceSource, filter: LogsFilter, count: number) {
  const client = useQueryClient();
  return useCallback(
    (entries: ReadonlyMap<number, LogEntry>): ListPlaces => ({
      count,
      seqAt: (index) => entries.get(index)?.seq ?? null,
      find: (seq) => {
        if (count === 0) return { index: 0, isShown: false };
        const known = placeAmong(entries, seq);
        if (known !== null) return known;
        return client.fetchQuery(filteredPositionQuery(source, filter, seq)).then(
          (found) => placeFrom(found, seq),
          (error: unknown) => {
            sayOnce(`Step ${seq} could not be looked up`);
            throw error;
          },
        );
      },
    }),
    [client, source, filter, count],
  );
}

function sayOnce(title: string): void {
  if (!listToasts().some((shown) => shown.title === title)) toast({ tone: "error", title });
}
