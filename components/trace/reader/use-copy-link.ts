"use client";

import { useCallback } from "react";
import { toast } from "#components/ui/toast-store.ts";
import { searchOf } from "./address-bar.ts";
import { useSeqOffset } from "./trace-context.tsx";

/**
 * Marks an entry and copies its link. Resolves to whether the clipboard accepted it. If not, a message is shown; with `confirms`,
 * also on success.
 */
export function useCopyLink(onMark: (seq: number) => void): (seq: number, confirms?: "confirms") => Promise<boolean> {
  const offset = useSeqOffset();
  return useCallback(
    async (seq: number, confirms?: "confirms") => {
      const link = new URL(searchOf({ entry: String(seq + offset) }), window.location.href).href;
      onMark(seq);
      try {
        await navigator.clipboard.writeText(link);
        if (confirms !== undefined) toast({ title: `Link to step ${seq + offset} copied` });
        return true;
      } catch {
        // Browsers refuse the clipboard on plain http: the link is in the address bar now.
        toast({ tone: "info", title: `The address bar has the link to step ${seq + offset}` });
        return false;
      }
    },
    [onMark, offset],
  );
}
