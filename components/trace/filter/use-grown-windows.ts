"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { windowSize } from "#components/trace/log-windows.ts";
import type { WindowQuery } from "#components/trace/use-log-windows.ts";

/**
 * Reads the shown windows of a list again that lack entries which the list has by now. Live entries come unfiltered: which of
 * them belong into the list, and where, is for the server to say.
 */
export function useGrownWindows(windowQuery: WindowQuery, skips: readonly number[], count: number): void {
  const client = useQueryClient();
  const asked = useRef(new Map<number, number>());
  useEffect(() => {
    for (const skip of skips) {
      const { queryKey } = windowQuery(skip);
      const known = client.getQueryData(queryKey)?.logs.length;
      const wanted = Math.min(windowSize, count - skip);
      // Once for each count: where the two disagree for good, nothing is asked for again and again.
      if (known === undefined || known >= wanted || asked.current.get(skip) === count) continue;
      asked.current.set(skip, count);
      void client.invalidateQueries({ queryKey, exact: true });
    }
  }, [client, windowQuery, skips, count]);
}
