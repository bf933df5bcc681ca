"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { windowSize } from "./log-windows.ts";
import type { WindowQuery } from "./use-log-windows.ts";

/**
 * Reads shown windows of a list again if they lack entries that the list has by now. Live entries arrive unfiltered: the server
 * decides which of them belong to the list, and where.
 */
export function useGrownWindows(windowQuery: WindowQuery, skips: readonly number[], count: number): void {
  const client = useQueryClient();
  const asked = useRef(new Map<number, number>());
  useEffect(() => {
    for (const skip of skips) {
      const { queryKey } = windowQuery(skip);
      const known = client.getQueryData(queryKey)?.logs.length;
      const wanted = Math.min(windowSize, count - skip);
      // Once per count: if the two disagree permanently, nothing is requested again and again.
      if (known === undefined || known >= wanted || asked.current.get(skip) === count) continue;
      asked.current.set(skip, count);
      void client.invalidateQueries({ queryKey, exact: true });
    }
  }, [client, windowQuery, skips, count]);
}
