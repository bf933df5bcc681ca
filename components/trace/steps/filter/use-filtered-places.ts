"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { type Places, placeAmong, placeFrom } from "#components/feed/places.ts";
import { useSeqOffset } from "#components/trace/reader/trace-context.tsx";
import { toastOnce } from "#components/ui/toast-store.ts";
import { filteredPositionQuery, type LogsFilter } from "#lib/client/pages/filtered-log-queries.ts";
import type { TraceSource } from "#lib/client/pages/trace-source.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";

/** Positions in a filtered list: those not loaded are requested from the server. */
export function useFilteredPlaces(source: TraceSource, filter: LogsFilter, count: number) {
  const client = useQueryClient();
  const offset = useSeqOffset();
  return useCallback(
    (entries: ReadonlyMap<number, LogEntry>): Places => ({
      count,
      seqAt: (index) => entries.get(index)?.seq ?? null,
      find: (seq) => {
        if (count === 0) return { index: 0, isShown: false };
        const known = placeAmong(entries, seq);
        if (known !== null) return known;
        return client.fetchQuery(filteredPositionQuery(source, filter, seq)).then(
          (found) => placeFrom(found, seq),
          (error: unknown) => {
            toastOnce({ tone: "error", title: `Step ${seq + offset} could not be looked up` });
            throw error;
          },
        );
      },
    }),
    [client, source, filter, count, offset],
  );
}
