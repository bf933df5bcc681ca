"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";
import { parseTraceFilter, type TraceFilter, traceFilterKey, writeTraceFilter } from "./trace-filter.ts";

/** Parts of a run's address that determine what is shown. */
export type PageSearch = {
  tab: "trace" | "changes" | "timeline" | "analysis" | "raw";
  entry: string | null;
  /** Search text in the run; null without a search. */
  find: string | null;
};

/** Parts of the address that can be changed. */
export type PageSearchChange = Partial<PageSearch> & {
  filter?: TraceFilter;
  /** The tool call to find, replaced by the entry it leads to. */
  toolCallId?: null;
};

/** Tabs in their order. */
export const tabs = ["trace", "changes", "timeline", "analysis", "raw"] as const satisfies PageSearch["tab"][];

/** Address of a run's page with these parts, without host and path. Default values are left out. */
export function searchOf(part: Partial<PageSearch>): string {
  return `?${changed("", part)}`;
}

/** Parts of the address, and how to change them without requesting the page again. Other parameters are kept. */
export function usePageSearch(): PageSearch & {
  /** Filter of the entries. It stays the same object until it changes. */
  filter: TraceFilter;
  toolCallId: string | null;
  show: (part: PageSearchChange, how: "push" | "replace") => void;
} {
  const search = useSearchParams();
  const tab = tabs.find((name) => name === search.get("tab")) ?? "trace";
  const written = traceFilterKey(parseTraceFilter(search));
  const filter = useMemo(() => parseTraceFilter(new URLSearchParams(written)), [written]);
  const show = useCallback((part: PageSearchChange, how: "push" | "replace") => {
    const next = changed(window.location.search, part).toString();
    const address = next === "" ? window.location.pathname : `?${next}`;
    if (how === "push") window.history.pushState(null, "", address);
    else window.history.replaceState(null, "", address);
  }, []);
  return {
    tab,
    entry: search.get("entry"),
    find: search.get("find"),
    filter,
    toolCallId: search.get("toolCallId"),
    show,
  };
}

function changed(search: string, { tab, entry, find, filter, toolCallId }: PageSearchChange): URLSearchParams {
  const next = new URLSearchParams(search);
  if (tab === "trace") next.delete("tab");
  else if (tab !== undefined) next.set("tab", tab);
  if (entry === null) next.delete("entry");
  else if (entry !== undefined) next.set("entry", entry);
  if (find === null) next.delete("find");
  else if (find !== undefined) next.set("find", find);
  if (filter !== undefined) writeTraceFilter(next, filter);
  if (toolCallId === null) next.delete("toolCallId");
  return next;
}
