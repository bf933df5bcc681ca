import type { UseQueryResult } from "@tanstack/react-query";
import { useEffect } from "react";

/** Reads a query again while it is due, `pauseMs` after it was last read. */
export function useReadAgain(
  { dataUpdatedAt, refetch }: Pick<UseQueryResult, "dataUpdatedAt" | "refetch">,
  isDue: boolean,
  pauseMs: number,
): void {
  useEffect(() => {
    if (!isDue) return;
    const timer = setTimeout(() => void refetch(), Math.max(0, dataUpdatedAt + pauseMs - Date.now()));
    return () => clearTimeout(timer);
  }, [isDue, pauseMs, dataUpdatedAt, refetch]);
}
