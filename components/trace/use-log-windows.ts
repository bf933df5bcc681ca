"use client";

import {
  type QueryClient,
  QueryObserver,
  type UseQueryResult,
  useQueries,
  useQueryClient,
} from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { whenAtRest } from "#components/ui/at-rest.ts";
import { type LogWindowData, logsQuery } from "#lib/client/log-queries.ts";
import type { TraceSource } from "#lib/client/trace-source.ts";
import type { LogEntry } from "#lib/contract/entry.ts";
import { jumpsMs } from "./list/feed-controller.ts";
import type { FeedRange } from "./list/feed-range.ts";
import { clipCharacters, windowSize, windowStart, windowsAround, windowsOf, windowsOver } from "./log-windows.ts";

/** What is scrolled past more quickly than this is not loaded. */
const RESTS_MS = 30;
/** Somebody who never stops scrolling sees something at least this often. */
const RESTS_MS_MAX = 200;
/** So many entries more are loaded where the reader is heading, and steps up to that size count as scrolling. */
const AHEAD = 20;

type LogWindowsOptions = {
  /** The window of the list that skips so many entries. Keep its identity as long as the list is the same. */
  windowQuery: WindowQuery;
  /** How many entries the list has. */
  count: number;
  /** Entries that came live, where the list is that of all entries; they are shown before their window is read. */
  recent: readonly LogEntry[];
  /** The windows of the first screen. */
  initial: readonly number[];
};

/** What is to be asked for a window of a list. */
export type WindowQuery = (skip: number) => ReturnType<typeof logsQuery>;

/** The entries around the view. */
export type LogWindows = {
  /** The entry at a place in the list (from 0), or null while it is not here. */
  entryAt: (index: number) => LogEntry | null;
  /** The entries that were read, by their place in the list. */
  entries: ReadonlyMap<number, LogEntry>;
  /** The windows that are wanted now, by how many entries they skip. */
  skips: readonly number[];
  /** Why the entry at a place could not be loaded, or null. */
  errorAt: (index: number) => Error | null;
  isLoading: boolean;
  /** To be told which items are rendered. */
  onRangeChange: (range: FeedRange) => void;
  /**
   * Asks for what a reader will see who is about to be taken to a place. Resolves when the entry there has come; null where it is
   * at hand, or need not be waited for.
   */
  prepare: (place: number, around: FeedRange) => Promise<unknown> | null;
  /** To be told where the reader is taken, before anything is rendered there. */
  onJump: (range: FeedRange) => void;
  retry: () => void;
};

/** The windows of the list of all entries. */
export function useAllEntries(source: TraceSource): WindowQuery {
  return useCallback((skip) => logsQuery(source, { skip, limit: windowSize, clip: clipCharacters }), [source]);
}

/** Reads how a list of so many entries ends when the page is at rest, and keeps it: most who leave the beginning go there. */
export function useEndAtHand(windowQuery: WindowQuery, count: number, isWanted: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!isWanted) return;
    let stops: (() => void)[] = [];
    const giveUp = whenAtRest(() => {
      const observers = windowsOf("end", count).map((skip) => new QueryObserver(client, windowQuery(skip)));
      stops = observers.map((observer) => observer.subscribe(() => {}));
    });
    return () => {
      giveUp();
      for (const stop of stops) stop();
    };
  }, [client, windowQuery, count, isWanted]);
}

/** Loads the windows of a list of entries around what is rendered, and gives up those that the reader has left. */
export function useLogWindows({ windowQuery, count, recent, initial }: LogWindowsOptions): LogWindows {
  const client = useQueryClient();
  const [skips, setSkips] = useState(initial);
  const combine = useCallback((results: UseQueryResult<LogWindowData, Error>[]) => together(results, skips), [skips]);
  const queries = useMemo(() => skips.map(windowQuery), [skips, windowQuery]);
  const { entries, errors, isLoading } = useQueries({ queries, combine });
  const total = useRef(count);
  useEffect(() => {
    total.current = count;
  }, [count]);

  const waiting = useRef<Waiting>({ timer: undefined, frame: 0, sinceMs: null });
  useEffect(() => {
    const { current } = waiting;
    return () => forget(current);
  }, []);

  const want = useCallback(
    (wanted: readonly number[], atOnce: boolean) => {
      const { current } = waiting;
      forget(current);
      const take = () => {
        current.sinceMs = null;
        setSkips((before) => (isSame(before, wanted) ? before : wanted));
      };
      // Windows that are at hand are shown in the same frame.
      if (atOnce || wanted.every((skip) => isKnown(client, windowQuery(skip)))) return take();
      current.sinceMs ??= performance.now();
      // Who scrolls in every frame would put it off for ever.
      if (performance.now() - current.sinceMs >= RESTS_MS_MAX) return take();
      current.timer = setTimeout(() => {
        // A page that is slow to render has scroll events waiting, which come before its next frame.
        current.frame = requestAnimationFrame(take);
      }, RESTS_MS);
    },
    [client, windowQuery],
  );
  const seen = useRef(0);
  const onRangeChange = useCallback(
    ({ first, last }: FeedRange) => {
      const step = first - seen.current;
      seen.current = first;
      const [up, down] = Math.abs(step) > AHEAD ? [0, 0] : [step < 0 ? AHEAD : 0, step > 0 ? AHEAD : 0];
      want(windowsAround(first - up, last + down, total.current), false);
    },
    [want],
  );
  const jump = useRef({ atMs: Number.NEGATIVE_INFINITY, isPrepared: false });
  const prepare = useCallback(
    (place: number, { first, last }: FeedRange) => {
      const now = performance.now();
      const isAlone = now - jump.current.atMs > jumpsMs;
      jump.current = { atMs: now, isPrepared: isAlone };
      if (!isAlone) return null;
      const target = windowStart(place);
      // What lies further around comes once the reader is there.
      const missing = windowsOver(first, last, total.current).filter((skip) => !isKnown(client, windowQuery(skip)));
      const asked = missing.map((skip) => client.prefetchQuery(windowQuery(skip)));
      return asked[missing.indexOf(target)] ?? null;
    },
    [client, windowQuery],
  );
  const onJump = useCallback(
    ({ first, last }: FeedRange) => {
      const now = performance.now();
      const isAlone = jump.current.isPrepared || now - jump.current.atMs > jumpsMs;
      jump.current = { atMs: now, isPrepared: false };
      if (!isAlone || last < first) return;
      const wanted = windowsAround(first, last, total.current);
      // Asked for in the key's own task, not once the list has been rendered without them.
      for (const skip of wanted) void client.prefetchQuery(windowQuery(skip));
      seen.current = first;
      want(wanted, true);
    },
    [client, windowQuery, want],
  );

  const recentBySeq = useMemo(() => new Map(recent.map((entry) => [entry.seq, entry])), [recent]);
  const entryAt = useCallback(
    (index: number) => entries.get(index) ?? recentBySeq.get(index + 1) ?? null,
    [entries, recentBySeq],
  );
  const errorAt = useCallback((index: number) => errors[skips.indexOf(windowStart(index))] ?? null, [errors, skips]);
  const retry = useCallback(() => {
    for (const skip of skips) {
      const { queryKey } = windowQuery(skip);
      if (client.getQueryState(queryKey)?.status === "error") void client.refetchQueries({ queryKey, exact: true });
    }
  }, [client, windowQuery, skips]);
  return { entries, skips, entryAt, errorAt, isLoading, prepare, onRangeChange, onJump, retry };
}

/** The windows that are to be loaded soon, unless the reader moves on. */
type Waiting = { timer: ReturnType<typeof setTimeout> | undefined; frame: number; sinceMs: number | null };

function forget(waiting: Waiting): void {
  clearTimeout(waiting.timer);
  cancelAnimationFrame(waiting.frame);
}

function together(results: UseQueryResult<LogWindowData, Error>[], skips: readonly number[]) {
  return {
    entries: new Map(
      results.flatMap(({ data }, place) =>
        (data?.logs ?? []).map((entry, index) => [(skips[place] ?? 0) + index, entry] as const),
      ),
    ),
    // A window that was read once is shown as it was, whatever became of reading it again.
    errors: results.map(({ error, data }) => (data === undefined ? error : null)),
    isLoading: results.some((result) => result.isLoading),
  };
}

function isKnown(client: QueryClient, { queryKey }: ReturnType<WindowQuery>): boolean {
  return client.getQueryData(queryKey) !== undefined;
}

function isSame(before: readonly number[], after: readonly number[]): boolean {
  return before.length === after.length && before.every((skip, place) => skip === after[place]);
}
