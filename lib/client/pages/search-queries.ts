import { infiniteQueryOptions } from "@tanstack/react-query";
import { browserTransport, call } from "#lib/client/request.ts";
import type { FoundRun, FoundRuns } from "#lib/contract/logs/search.ts";
import { queryKeys } from "./query-keys.ts";
import { type SearchFilter, searchFilterQuery, searchFilterSearch } from "./search-filter.ts";

/** Runs of one page of results: so many are searched for before the reader asks for more. */
export const searchPageRuns = 20;

/** Runs that match a search, newest first, in pages. */
export function searchQuery(orgId: number, filter: SearchFilter, transport = browserTransport) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.organization(orgId), "search", searchFilterSearch(filter)],
    queryFn: ({ pageParam, signal }): Promise<FoundRuns> =>
      call(
        "searchRuns",
        {
          params: { org_id: orgId },
          query: {
            ...searchFilterQuery(filter, Date.now()),
            ...(pageParam !== null && { cursor: pageParam }),
            limit: searchPageRuns,
          },
          signal,
        },
        transport,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }: FoundRuns) => cursor,
    // Reading every page again would search everything again.
    refetchOnWindowFocus: false,
    staleTime: 10_000,
    gcTime: 60_000,
  });
}

/** Every found run once, in the order of the pages. */
export function flattenFound(pages: readonly FoundRuns[]): FoundRun[] {
  const runs = new Map<number, FoundRun>();
  for (const found of pages.flatMap((page) => page.items)) if (!runs.has(found.run.id)) runs.set(found.run.id, found);
  return [...runs.values()];
}

/** Whether the search must go on by itself: fewer runs than wanted were found, and not everything has been searched. */
export function mustGoOn(pages: readonly FoundRuns[], wanted: number): boolean {
  const last = pages.at(-1);
  return last !== undefined && last.cursor !== null && flattenFound(pages).length < wanted;
}
