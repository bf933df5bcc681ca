"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { SearchX, TextSearch } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { DashboardPage } from "#components/page/dashboard-page.tsx";
import { useOrganization } from "#components/session/session.tsx";
import { ErrorState } from "#components/shell/error-state.tsx";
import { formatCount, formatCountOf } from "#components/shell/format-number.ts";
import { Loading } from "#components/shell/loading.tsx";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/class-names.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { describeError } from "#lib/client/client-error.ts";
import { parseSearchFilter, type SearchFilter, searchFilterSearch } from "#lib/client/pages/search-filter.ts";
import { flattenFound, mustGoOn, searchPageRuns, searchQuery } from "#lib/client/pages/search-queries.ts";
import type { FoundRuns } from "#lib/contract/logs/search.ts";
import { FoundRun } from "./found-run.tsx";
import { SearchFilters } from "./search-filters.tsx";
import { useResultsKeys } from "./use-results-keys.ts";

/** Search across runs: newest first, with their best steps. */
export function SearchPage() {
  const { id: orgId } = useOrganization();
  const { filter, setFilter } = useSearchFilter();
  const field = useRef<HTMLInputElement>(null);
  const results = useRef<HTMLUListElement>(null);
  useResultsKeys(results, field);
  return (
    <DashboardPage title="Search">
      <SearchFilters orgId={orgId} filter={filter} onChange={setFilter} field={field} />
      {filter.text.trim() === "" ? <NothingAsked /> : <Results orgId={orgId} filter={filter} list={results} />}
    </DashboardPage>
  );
}

type ResultsProps = { orgId: number; filter: SearchFilter; list: RefObject<HTMLUListElement | null> };

function Results({ orgId, filter, list }: ResultsProps) {
  const search = useInfiniteQuery({ ...searchQuery(orgId, filter), placeholderData: keepPreviousData });
  const pages = search.data?.pages;
  const found = useMemo(() => flattenFound(pages ?? []), [pages]);
  const asked = searchFilterSearch(filter);
  const [more, setMore] = useState({ asked, pages: 1 });
  const wanted = (more.asked === asked ? more.pages : 1) * searchPageRuns;
  const goesOn = pages !== undefined && search.error === null && mustGoOn(pages, wanted);
  const { fetchNextPage, isFetching } = search;
  useEffect(() => {
    if (goesOn && !isFetching) void fetchNextPage();
  }, [goesOn, isFetching, fetchNextPage]);
  if (pages === undefined) {
    if (search.error === null) return <Loading label="Searching" lines={8} className="px-0" />;
    return (
      <ErrorState
        title="The runs could not be searched"
        {...describeError(search.error)}
        onRetry={() => void search.refetch()}
      />
    );
  }
  const isStale = search.isPlaceholderData;
  return (
    <div aria-busy={isStale} className={cn("transition-opacity", isStale && "opacity-60")}>
      <p className="px-2 text-muted-foreground text-xs tabular-nums">
        <span role="status">{countWords(pages, found.length, goesOn)}</span>
      </p>
      {found.length === 0 && goesOn ? (
        <Loading label="Searching older runs" lines={4} className="px-0" />
      ) : found.length === 0 && search.error === null ? (
        <EmptyState
          icon={<SearchX />}
          title="Nothing found"
          description="All words must appear in the same step or prompt; the beginning of a word is enough. Try fewer or shorter words, or remove a filter."
        />
      ) : (
        <ul ref={list} aria-label="Search results" className="mt-1 border-border border-t">
          {found.map((one) => (
            <FoundRun key={one.run.id} found={one} text={filter.text} />
          ))}
        </ul>
      )}
      {search.error !== null && (
        <ErrorAlert
          title="The rest could not be loaded"
          {...describeError(search.error)}
          onRetry={() => void (search.isFetchNextPageError ? search.fetchNextPage() : search.refetch())}
          className="mt-4"
        />
      )}
      {search.hasNextPage && found.length > 0 && (
        <div className="flex justify-center py-4">
          <Button
            variant="outline"
            pending={goesOn}
            onClick={() => setMore({ asked, pages: wanted / searchPageRuns + 1 })}
          >
            {goesOn ? "Searching older runs" : "Show more"}
          </Button>
        </div>
      )}
    </div>
  );
}

function NothingAsked() {
  return (
    <EmptyState
      icon={<TextSearch />}
      title="Search what agents did"
      description="Every step of every run: thoughts, commands, output, files read, answers. Runs are listed newest first, with the steps that contain all the words."
    />
  );
}

/** Number of results, and whether older runs are still being searched. */
function countWords(pages: readonly FoundRuns[], shown: number, goesOn: boolean): string {
  const count = formatCountOf(shown, "run");
  if (goesOn) return shown === 0 ? "Searching older runs …" : `${count} so far · searching older runs …`;
  return pages.at(-1)?.cursor === null ? count : `${formatCount(shown)}+ runs`;
}

/** The search in the page's address. */
function useSearchFilter() {
  const search = useSearchParams();
  const filter = useMemo(() => parseSearchFilter(search), [search]);
  const setFilter = useCallback((next: SearchFilter, how: "push" | "replace") => {
    const query = searchFilterSearch(next);
    const address = query === "" ? window.location.pathname : `?${query}`;
    if (how === "push") window.history.pushState(null, "", address);
    else window.history.replaceState(null, "", address);
  }, []);
  return { filter, setFilter };
}
