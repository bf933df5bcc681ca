"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";
import { parseRunFilter, type RunFilter, runFilterSearch } from "#lib/client/run-filter.ts";

/** How a change of the filter enters the history: a choice can be undone by going back, each letter of a search cannot. */
export type FilterChange = "push" | "replace";

/** The filter in the page's address. Changing it needs no answer of the page's server: the rows are asked for directly. */
export function useRunFilter(): { filter: RunFilter; setFilter: (filter: RunFilter, how?: FilterChange) => void } {
  const search = useSearchParams();
  const filter = useMemo(() => parseRunFilter(search), [search]);
  const setFilter = useCallback((next: RunFilter, how: FilterChange = "push") => {
    const query = runFilterSearch(next);
    const address = query === "" ? window.location.pathname : `?${query}`;
    if (how === "push") window.history.pushState(null, "", address);
    else window.history.replaceState(null, "", address);
  }, []);
  return { filter, setFilter };
}
