import type { UseQueryResult } from "@tanstack/react-query";
import { useEffect } from "react";

/** Reads an answer again while it is due, `pauseMs` after it was read last. */
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
