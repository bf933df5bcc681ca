import type { UseQueryResult } from "@tanstack/react-query";
import { useEffect } from "react";

/** Reads a query again while it is due, `pauseMs` after it was last read, also in vain. */
export function useReadAgain(
  { dataUpdatedAt, errorUpdatedAt, refetch }: Pick<UseQueryResult, "dataUpdatedAt" | "errorUpdatedAt" | "refetch">,
  isDue: boolean,
  pauseMs: number,
): void {
  useEffect(() => {
    if (!isDue) return;
    const readAt = Math.max(dataUpdatedAt, errorUpdatedAt);
    const timer = setTimeout(() => void refetch(), Math.max(0, readAt + pauseMs - Date.now()));
    return () => clearTimeout(timer);
  }, [isDue, pauseMs, dataUpdatedAt, errorUpdatedAt, refetch]);
}
