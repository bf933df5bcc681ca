"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";
import { parseRunFilter, type RunFilter, runFilterSearch } from "#lib/client/pages/run-filter.ts";

/** Browser history: a choice can be undone by going back, but not each letter of a search. */
export type FilterChange = "push" | "replace";

/** The filter in the page's address. Changing it does not wait for the server's page: the rows are requested directly. */
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
