"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";
import { changedSearch, type PageSearch, type PageSearchChange, tabs } from "./address-bar.ts";
import { replaceAddress } from "./browser-history.ts";
import { parseTraceFilter, type TraceFilter, traceFilterKey } from "./trace-filter.ts";

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
    const next = changedSearch(window.location.search, part).toString();
    const address = next === "" ? window.location.pathname : `?${next}`;
    if (how === "push") window.history.pushState(null, "", address);
    else replaceAddress(address);
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
