"use client";

import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { isLive } from "#lib/client/live/is-live.ts";
import type { RunFilter } from "#lib/client/pages/run-filter.ts";
import { flattenRuns, keepReadRuns, runsHeadQuery, runsQuery } from "#lib/client/pages/run-list-queries.ts";
import type { Run } from "#lib/contract/runs/run.ts";

/** Rows of the list, and its loading state. */
export type RunsList = {
  /** Null until the first response. */
  runs: Run[] | null;
  /** Number of matching runs, or null until it is known. */
  total: number | null;
  /** New runs not among the rows yet: they are added on request, so that nothing moves by itself. */
  newCount: number;
  showNew: () => void;
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore: () => void;
  /** The rows belong to the previous filter: the current ones are loading. */
  isStale: boolean;
  /** Why a page could not be loaded. */
  error: Error | null;
  retry: () => void;
  /** Why the last poll failed: the rows may be out of date. */
  updateError: Error | null;
  update: () => void;
};

/** Runs that match a filter: loaded page by page, kept up to date by polling the first page. */
export function useRunsList(orgId: number, filter: RunFilter): RunsList {
  const client = useQueryClient();
  const pages = useInfiniteQuery({ ...runsQuery(orgId, filter), placeholderData: keepPreviousData });
  const loaded = useMemo(() => (pages.data === undefined ? null : flattenRuns(pages.data)), [pages.data]);

  const { queryKey } = runsQuery(orgId, filter);
  const liveIds = () => {
    const known = flattenRuns(client.getQueryData(queryKey));
    return known.filter(isLive).map(({ id }) => id);
  };
  const head = useQuery({ ...runsHeadQuery(orgId, filter, liveIds), enabled: loaded !== null });

  const runs = useMemo(() => {
    if (loaded === null || head.data === undefined) return loaded;
    const now = new Map([...head.data.page.items, ...head.data.watched].map((run) => [run.id, run]));
    return loaded.map((run) => now.get(run.id) ?? run);
  }, [loaded, head.data]);

  const newCount = useMemo(() => {
    if (loaded === null || head.data === undefined || pages.isPlaceholderData) return 0;
    const ids = new Set(loaded.map(({ id }) => id));
    // There may be unloaded runs below the last row; above it everything should be loaded.
    const last = loaded.at(-1)?.id ?? 0;
    return head.data.page.items.filter(({ id }) => id > last && !ids.has(id)).length;
  }, [loaded, head.data, pages.isPlaceholderData]);

  const showNew = () => {
    const page = head.data?.page;
    if (page === undefined) return;
    client.setQueryData(queryKey, { pages: [page], pageParams: [{ createdBefore: null, skip: 0 }] });
  };
  const found = head.data;
  // A further page on its way brings the pages before it as they were when it was requested. Pages that are all loaded again are
  // newer than this.
  const isExtending = pages.isFetchingNextPage;
  useEffect(() => {
    if (found !== undefined && !isExtending) keepReadRuns(client, orgId, filter, found);
  }, [client, orgId, filter, found, isExtending]);
  const isEmpty = loaded?.length === 0 && newCount > 0;
  useEffect(() => {
    // Without rows nothing can move: new runs are shown at once.
    if (isEmpty) showNew();
  });

  return {
    runs,
    total: head.data?.page.total ?? pages.data?.pages[0]?.total ?? null,
    newCount: isEmpty ? 0 : newCount,
    showNew,
    hasMore: pages.hasNextPage,
    isLoadingMore: pages.isFetchingNextPage,
    loadMore: () => {
      if (pages.hasNextPage && !pages.isFetchingNextPage) void pages.fetchNextPage();
    },
    isStale: pages.isPlaceholderData,
    error: pages.error,
    retry: () => void (pages.isFetchNextPageError ? pages.fetchNextPage() : pages.refetch()),
    updateError: head.error,
    update: () => void head.refetch(),
  };
}
