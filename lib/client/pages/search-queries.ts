import { infiniteQueryOptions } from "@tanstack/react-query";
import { browserTransport, call } from "#lib/client/request.ts";
import type { FoundRun, FoundRuns } from "#lib/contract/logs/search.ts";
import { queryKeys } from "./query-keys.ts";
import { type SearchFilter, searchFilterQuery, searchFilterSearch } from "./search-filter.ts";

/** Runs of one page of results. */
const PAGE_RUNS = 20;
/** Interval for reading the results again while entries are not indexed. */
const BEHIND_POLL_MS = 3_000;

/** Runs that match a search, newest first, in pages. */
export function searchQuery(orgId: number, filter: SearchFilter, transport = browserTransport) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.organization(orgId), "search", searchFilterSearch(filter)],
    queryFn: ({ pageParam, signal }): Promise<FoundRuns> =>
      call(
        "searchRuns",
        {
          params: { org_id: orgId },
          query: { ...searchFilterQuery(filter, Date.now()), skip: pageParam, limit: PAGE_RUNS },
          signal,
        },
        transport,
      ),
    initialPageParam: 0,
    getNextPageParam: (last: FoundRuns, pages: FoundRuns[]) => nextSkip(last, pages),
    refetchInterval: ({ state }) => (state.data?.pages.some(isIncomplete) ? BEHIND_POLL_MS : false),
    staleTime: 10_000,
    gcTime: 60_000,
  });
}

/** How many runs to skip for the page after the last one; undefined if there is none. */
export function nextSkip(last: FoundRuns, pages: readonly FoundRuns[]): number | undefined {
  const known = pages.reduce((sum, page) => sum + page.items.length, 0);
  if (last.items.length === 0) return undefined;
  if (last.total !== null) return known < last.total ? known : undefined;
  return last.items.length < last.size ? undefined : known;
}

/** Every found run once, in the order of the pages. */
export function flattenFound(pages: readonly FoundRuns[]): FoundRun[] {
  const runs = new Map<number, FoundRun>();
  for (const found of pages.flatMap((page) => page.items)) if (!runs.has(found.run.id)) runs.set(found.run.id, found);
  return [...runs.values()];
}

function isIncomplete({ indexed }: FoundRuns): boolean {
  return !indexed.complete;
}
