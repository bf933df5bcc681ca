"use client";

import { QueryObserver, type UseQueryResult, useQueries, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { FeedLoader } from "#components/feed/feed-loader.ts";
import type { FeedRange } from "#components/feed/feed-range.ts";
import { callLater } from "#components/ui/call-later.ts";
import { whenIdle } from "#components/ui/when-idle.ts";
import { type LogWindowData, logsQuery } from "#lib/client/pages/log-queries.ts";
import type { TraceSource } from "#lib/client/pages/trace-source.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { clipCharacters, windowSize, windowStart, windowsOf, windowsOver } from "./log-windows.ts";
import { WantedWindows } from "./wanted-windows.ts";

type LogWindowsOptions = {
  /** The query for a window of the list. Must keep its identity as long as the list is the same. */
  windowQuery: WindowQuery;
  /** Number of entries in the list. */
  count: number;
  /** Live entries, if the list is that of all entries. They are shown before their window is read. */
  recent: readonly LogEntry[];
  /** The windows of the first screen. */
  initial: readonly number[];
};

/** A selection loads so many windows between its ends, which are a thousand entries. */
const selectedWindowsMax = 40;
const none: readonly number[] = [];

/** The query for a window of a list. */
export type WindowQuery = (skip: number) => ReturnType<typeof logsQuery>;

/** Entries around the view. */
export type LogWindows = {
  /** The entry at a place in the list (from 0), or null while it is not loaded. */
  entryAt: (index: number) => LogEntry | null;
  /** The entries that were read, by their place in the list. */
  entries: ReadonlyMap<number, LogEntry>;
  /** The windows that are wanted now, by how many entries they skip. */
  skips: readonly number[];
  /** Reason that the entry at a place could not be loaded, or null. */
  errorAt: (index: number) => Error | null;
  retry: () => void;
  /** Loads and keeps the entries of a selection, at most {@link selectedWindowsMax} windows of them; null: there is none. */
  prepareTexts: (ends: FeedRange | null) => void;
  /** Loads what the list is about to show. */
  loader: FeedLoader;
};

/** The windows of the list of all entries. */
export function useAllWindows(source: TraceSource): WindowQuery {
  return useCallback((skip) => logsQuery(source, { skip, limit: windowSize, clip: clipCharacters }), [source]);
}

/** Loads the end of a list when the page is idle: most readers who leave the beginning go there next. */
export function usePrefetchEnd(windowQuery: WindowQuery, count: number, isWanted: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!isWanted) return;
    let stops: (() => void)[] = [];
    const giveUp = whenIdle(() => {
      const observers = windowsOf("end", count).map((skip) => new QueryObserver(client, windowQuery(skip)));
      stops = observers.map((observer) => observer.subscribe(() => {}));
    });
    return () => {
      giveUp();
      for (const stop of stops) stop();
    };
  }, [client, windowQuery, count, isWanted]);
}

/** Loads the windows around the rendered entries, and cancels those that the reader has left. */
export function useLogWindows({ windowQuery, count, recent, initial }: LogWindowsOptions): LogWindows {
  const client = useQueryClient();
  const [wanted] = useState(
    () =>
      new WantedWindows({
        ...{ count, initial },
        isKnown: (skip) => client.getQueryData(windowQuery(skip).queryKey) !== undefined,
        ask: (skip) => client.prefetchQuery(windowQuery(skip)),
        ...browserClock,
      }),
  );
  const skips = useSyncExternalStore(
    wanted.subscribe,
    () => wanted.skips,
    () => wanted.skips,
  );
  const [selected, setSelected] = useState(none);
  const kept = useMemo(() => {
    const more = selected.filter((skip) => !skips.includes(skip));
    // The same list after a click in a window that is wanted anyway: nothing is rendered again.
    return more.length === 0 ? skips : [...skips, ...more];
  }, [skips, selected]);
  const combine = useCallback((results: UseQueryResult<LogWindowData, Error>[]) => together(results, kept), [kept]);
  const queries = useMemo(() => kept.map(windowQuery), [kept, windowQuery]);
  const { entries, errors, isLoading } = useQueries({ queries, combine });
  useEffect(() => {
    wanted.count = count;
  }, [wanted, count]);
  useEffect(() => () => wanted.stop(), [wanted]);

  const recentBySeq = useMemo(() => new Map(recent.map((entry) => [entry.seq, entry])), [recent]);
  const entryAt = useCallback(
    (index: number) => entries.get(index) ?? recentBySeq.get(index + 1) ?? null,
    [entries, recentBySeq],
  );
  const errorAt = useCallback((index: number) => errors[kept.indexOf(windowStart(index))] ?? null, [errors, kept]);
  const retry = useCallback(() => {
    for (const skip of skips) {
      const { queryKey } = windowQuery(skip);
      if (client.getQueryState(queryKey)?.status === "error") void client.refetchQueries({ queryKey, exact: true });
    }
  }, [client, windowQuery, skips]);
  const prepareTexts = useCallback(
    (ends: FeedRange | null) => {
      setSelected(ends === null ? none : windowsOver(ends.first, ends.last, wanted.count).slice(0, selectedWindowsMax));
    },
    [wanted],
  );
  const { prepare, rendered, jumped } = wanted;
  return { entries, skips, entryAt, errorAt, retry, prepareTexts, loader: { isLoading, prepare, rendered, jumped } };
}

const browserClock = {
  now: () => performance.now(),
  schedule: callLater,
  nextFrame: (callback: () => void) => {
    const frame = requestAnimationFrame(callback);
    return () => cancelAnimationFrame(frame);
  },
};

function together(results: UseQueryResult<LogWindowData, Error>[], skips: readonly number[]) {
  return {
    entries: new Map(
      results.flatMap(({ data }, place) =>
        (data?.logs ?? []).map((entry, index) => [(skips[place] ?? 0) + index, entry] as const),
      ),
    ),
    // A window stays shown if loading it again fails.
    errors: results.map(({ error, data }) => (data === undefined ? error : null)),
    isLoading: results.some((result) => result.isLoading),
  };
}
