"use client";

import { type QueryClient, type UseQueryResult, useQueries, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type LogWindowData, logsQuery } from "#lib/client/log-queries.ts";
import type { TraceSource } from "#lib/client/trace-source.ts";
import type { LogEntry } from "#lib/contract/entry.ts";
import type { FeedRange } from "./list/feed-position.ts";
import { clipCharacters, windowSize, windowStart, windowsAround } from "./log-windows.ts";

/** What is scrolled past more quickly than this is not loaded. */
const RESTS_MS = 30;
/** Somebody who never stops scrolling sees something at least this often. */
const RESTS_MS_MAX = 200;

type LogWindowsOptions = {
  source: TraceSource;
  totalLogs: number;
  /** Entries that came live; they are shown before their window is read. */
  recent: readonly LogEntry[];
  /** The windows of the first screen. */
  initial: readonly number[];
};

/** The entries around the view. */
export type LogWindows = {
  /** The entry at a place in the list (from 0), or null while it is not here. */
  entryAt: (index: number) => LogEntry | null;
  /** Why the entry at a place could not be loaded, or null. */
  errorAt: (index: number) => Error | null;
  isLoading: boolean;
  /** To be told which items are rendered. */
  onRangeChange: (range: FeedRange) => void;
  retry: () => void;
};

/** Loads the windows of a run's entries around what is rendered, and gives up those that the reader has left. */
export function useLogWindows({ source, totalLogs, recent, initial }: LogWindowsOptions): LogWindows {
  const client = useQueryClient();
  const [skips, setSkips] = useState(initial);
  const { entries, errors, isLoading } = useQueries({
    queries: skips.map((skip) => logsQuery(source, { skip, limit: windowSize, clip: clipCharacters })),
    combine,
  });
  const total = useRef(totalLogs);
  useEffect(() => {
    total.current = totalLogs;
  }, [totalLogs]);

  const waiting = useRef<Waiting>({ timer: undefined, frame: 0, sinceMs: null });
  useEffect(() => {
    const { current } = waiting;
    return () => forget(current);
  }, []);

  const onRangeChange = useCallback(
    ({ first, last }: FeedRange) => {
      const wanted = windowsAround(first, last, total.current);
      const { current } = waiting;
      forget(current);
      const take = () => {
        current.sinceMs = null;
        setSkips((before) => (isSame(before, wanted) ? before : wanted));
      };
      // Windows that are at hand are shown in the same frame.
      if (wanted.every((skip) => isKnown(client, source, skip))) return take();
      current.sinceMs ??= performance.now();
      const waitMs = Math.min(RESTS_MS, RESTS_MS_MAX - (performance.now() - current.sinceMs));
      current.timer = setTimeout(
        () => {
          // A page that is slow to render has scroll events waiting, which come before its next frame.
          current.frame = requestAnimationFrame(take);
        },
        Math.max(0, waitMs),
      );
    },
    [client, source],
  );

  const recentBySeq = useMemo(() => new Map(recent.map((entry) => [entry.seq, entry])), [recent]);
  const entryAt = useCallback(
    (index: number) => entries.get(index + 1) ?? recentBySeq.get(index + 1) ?? null,
    [entries, recentBySeq],
  );
  const errorAt = useCallback((index: number) => errors[skips.indexOf(windowStart(index))] ?? null, [errors, skips]);
  const retry = useCallback(() => {
    for (const skip of skips) {
      const { queryKey } = logsQuery(source, { skip, limit: windowSize, clip: clipCharacters });
      if (client.getQueryState(queryKey)?.status === "error") void client.refetchQueries({ queryKey, exact: true });
    }
  }, [client, source, skips]);
  return { entryAt, errorAt, isLoading, onRangeChange, retry };
}

/** The windows that are to be loaded soon, unless the reader moves on. */
type Waiting = { timer: ReturnType<typeof setTimeout> | undefined; frame: number; sinceMs: number | null };

function forget(waiting: Waiting): void {
  clearTimeout(waiting.timer);
  cancelAnimationFrame(waiting.frame);
}

function combine(results: UseQueryResult<LogWindowData, Error>[]) {
  return {
    entries: new Map(results.flatMap(({ data }) => (data?.logs ?? []).map((entry) => [entry.seq, entry] as const))),
    // A window that was read once is shown as it was, whatever became of reading it again.
    errors: results.map(({ error, data }) => (data === undefined ? error : null)),
    isLoading: results.some((result) => result.isLoading),
  };
}

function isKnown(client: QueryClient, source: TraceSource, skip: number): boolean {
  const { queryKey } = logsQuery(source, { skip, limit: windowSize, clip: clipCharacters });
  return client.getQueryData(queryKey) !== undefined;
}

function isSame(before: readonly number[], after: readonly number[]): boolean {
  return before.length === after.length && before.every((skip, place) => skip === after[place]);
}
