import { type InfiniteData, infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import { ClientError } from "#lib/client/client-error.ts";
import { isLive } from "#lib/client/live/is-live.ts";
import { browserTransport, type CallResult, call } from "#lib/client/request.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { queryKeys } from "./query-keys.ts";
import { type RunFilter, runFilterQuery, runFilterSearch } from "./run-filter.ts";

/** Rows of one page of the runs list. */
export const RUNS_PAGE_SIZE = 50;

type RunsPage = CallResult<"listRuns">;

/** Start of a page of the runs list: among the runs created before a time, after the first `skip` of them. */
export type RunsPagePosition = { createdBefore: string | null; skip: number };

/**
 * The runs list in pages, newest first. Pages are anchored at the time their predecessor ended at, so that neither new runs nor
 * runs that leave the filter make a page repeat or miss rows. It does not refetch by itself: {@link runsHeadQuery} brings
 * changes.
 */
export function runsQuery(orgId: number, filter: RunFilter, transport = browserTransport) {
  return infiniteQueryOptions({
    queryKey: [...listKey(orgId, filter), "pages"],
    queryFn: ({ pageParam, signal }) =>
      call(
        "listRuns",
        {
          params: { org_id: orgId },
          query: {
            ...runFilterQuery(filter),
            limit: RUNS_PAGE_SIZE,
            skip: pageParam.skip,
            created_before: pageParam.createdBefore ?? undefined,
          },
          signal,
        },
        transport,
      ),
    initialPageParam: { createdBefore: null, skip: 0 } satisfies RunsPagePosition as RunsPagePosition,
    getNextPageParam: (last: RunsPage, pages: RunsPage[], at: RunsPagePosition) => nextRunsPage(last, pages, at),
    staleTime: Number.POSITIVE_INFINITY,
    // A page that failed makes the list stale all the same: loading it again would move the rows, if there are any.
    refetchOnWindowFocus: ({ state }) => state.data === undefined,
    gcTime: 60_000,
  });
}

/** Start of the page after `last`, or undefined if there is none. */
export function nextRunsPage(last: RunsPage, pages: RunsPage[], at: RunsPagePosition): RunsPagePosition | undefined {
  const end = last.items.at(-1);
  if (end === undefined || at.skip + last.items.length >= last.total) return undefined;
  // One millisecond later, skipping the known rows of that very millisecond: exact whatever was created or changed since.
  const createdBefore = new Date(Date.parse(end.created_at) + 1).toISOString();
  const known = pages.flatMap((page) => page.items).filter((run) => run.created_at === end.created_at);
  return { createdBefore, skip: new Set(known.map((run) => run.id)).size };
}

/** Live runs outside the first page that are read at each poll, one request each. */
const WATCHED_MAX = 10;

/**
 * Current state for the runs list: its first rows; some of the known live runs that are not among them, because they left the
 * filter or are further down; and those of these that are gone.
 */
export type RunsHead = { page: RunsPage; watched: Run[]; goneIds: number[] };

const LIVE_POLL_MS = 2_000;
const QUIET_POLL_MS = 10_000;

/**
 * The first page of the runs list and, in turn, the runs `liveIds` (newest first) that are not on it, polled: every 2 s while one
 * of them is live, otherwise every 10 s, not while the page is hidden.
 */
export function runsHeadQuery(orgId: number, filter: RunFilter, liveIds: () => number[], transport = browserTransport) {
  return queryOptions({
    queryKey: [...listKey(orgId, filter), "head"],
    queryFn: async ({ client, queryKey, signal }): Promise<RunsHead> => {
      const params = { org_id: orgId };
      const query = { ...runFilterQuery(filter), limit: RUNS_PAGE_SIZE };
      const page = await call("listRuns", { params, query, signal }, transport);
      const seen = new Set(page.items.map((run) => run.id));
      const others = liveIds().filter((id) => !seen.has(id));
      // Each poll goes on after the last run that the poll before it read, so that none is left out, however many never end.
      const last = client.getQueryData<RunsHead>(queryKey)?.watched.at(-1)?.id ?? Number.POSITIVE_INFINITY;
      const inTurn = [...others.filter((id) => id < last), ...others.filter((id) => id >= last)];
      const missing = inTurn.slice(0, WATCHED_MAX);
      const read = (id: number) =>
        call("getRun", { params: { ...params, agent_run_id: id }, signal }, transport).catch((error: unknown) => {
          // Deleted since the row was read.
          if (error instanceof ClientError && error.status === 404) return null;
          throw error;
        });
      const found = await Promise.all(missing.map(read));
      return {
        page,
        watched: found.filter((run) => run !== null),
        goneIds: missing.filter((_, index) => found[index] === null),
      };
    },
    refetchInterval: ({ state }) => (state.data && isAnyLive(state.data) ? LIVE_POLL_MS : QUIET_POLL_MS),
    staleTime: 1_000,
    gcTime: 60_000,
  });
}

function isAnyLive({ page, watched }: RunsHead): boolean {
  return [...page.items, ...watched].some(isLive);
}

/** Every loaded run once, in the order of the pages. */
export function flattenRuns(data: InfiniteData<RunsPage> | undefined): Run[] {
  const runs = new Map<number, Run>();
  for (const page of data?.pages ?? []) for (const run of page.items) if (!runs.has(run.id)) runs.set(run.id, run);
  return [...runs.values()];
}

/**
 * Writes what a poll has read into the loaded pages, which say what is live: until they are loaded again, a row stays as it was read
 * last, and runs that ended or are gone are not watched any longer. If one that ended is resumed, its row says so on the first page,
 * or when it is loaded again. Whether a page could be loaded is not changed: a person decides about an error.
 */
export function keepReadRuns(client: QueryClient, orgId: number, filter: RunFilter, head: RunsHead): void {
  const { queryKey } = runsQuery(orgId, filter);
  const data = client.getQueryData(queryKey);
  if (data === undefined) return;
  const read = new Map([...head.page.items, ...head.watched].map((run) => [run.id, run]));
  const current = (items: Run[]) =>
    items.filter(({ id }) => !head.goneIds.includes(id)).map((run) => read.get(run.id) ?? run);
  const pages = data.pages.map((page) => ({ ...page, items: current(page.items) }));
  // Unlike `setQueryData`, this does not clear the error.
  client
    .getQueryCache()
    .find({ queryKey })
    ?.setState({ data: { ...data, pages } });
}

function listKey(orgId: number, filter: RunFilter) {
  return [...queryKeys.runLists(orgId), runFilterSearch(filter)] as const;
}
