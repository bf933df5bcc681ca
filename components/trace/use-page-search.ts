"use client";

import { useSearchParams } from "next/navigation";
import { useCallback } from "react";

/** The parts of a run's address that say what is shown. */
export type PageSearch = {
  tab: "trace" | "changes" | "raw";
  entry: string | null;
  /** What is looked for in the run; null while nothing is. */
  find: string | null;
};

/** The tabs in their order. */
export const tabs = ["trace", "changes", "raw"] as const satisfies PageSearch["tab"][];

/** The address of a run's page with these parts, without host and path. Parts as they are by default are left out. */
export function searchOf({ tab = "trace", entry = null, find = null }: Partial<PageSearch>): string {
  const search = new URLSearchParams();
  if (tab !== "trace") search.set("tab", tab);
  if (entry !== null) search.set("entry", entry);
  if (find !== null) search.set("find", find);
  return `?${search}`;
}

/** What the address says, and how to change it without asking the server for the page again. */
export function usePageSearch(): PageSearch & { show: (part: Partial<PageSearch>, how: "push" | "replace") => void } {
  const search = useSearchParams();
  const tab = tabs.find((name) => name === search.get("tab")) ?? "trace";
  const entry = search.get("entry");
  const find = search.get("find");
  const show = useCallback(
    (part: Partial<PageSearch>, how: "push" | "replace") => {
      const next = searchOf({ tab, entry, find, ...part });
      const address = next === "?" ? window.location.pathname : next;
      if (how === "push") window.history.pushState(null, "", address);
      else window.history.replaceState(null, "", address);
    },
    [tab, entry, find],
  );
  return { tab, entry, find, show };
}
