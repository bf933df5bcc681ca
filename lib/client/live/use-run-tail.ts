"use client";

import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { addLiveEntries, refreshOpenWindows } from "#lib/client/pages/log-queries.ts";
import { traceRunQuery } from "#lib/client/pages/run-queries.ts";
import { callTrace, openTrace, type TraceSource, turnsKey } from "#lib/client/pages/trace-source.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { isLive } from "./is-live.ts";
import { nextFrame } from "./next-frame.ts";
import { Tail } from "./tail.ts";
import type { TailSnapshot } from "./tail-state.ts";

/** Polling interval for an ended run: somebody else may have resumed it. */
const ENDED_POLL_MS = 10_000;
/** A session in somebody's terminal ends with each of its turns, and its last lines arrive after that. */
const LOCAL_POLL_MS = 2_000;

/** What to follow. It stays the same for the life of the component: give the component a key based on the run's id. */
export type RunTailOptions = {
  source: TraceSource;
  /** The run as the page got it. Entries up to its `total_logs` are read by window, only later ones arrive live. */
  run: Run;
  /** Strings inside entries are cut at this many characters; null: uncut. The same as for the shown windows. */
  clip: number | null;
  /** Entries of one window of the list. */
  windowSize: number;
  /** New entries, ascending by seq, after they were added to their cached windows ({@link addLiveEntries}). */
  onEntries?: (entries: readonly LogEntry[]) => void;
};

/** A followed run, and controls for it. */
export type RunTail = Omit<TailSnapshot, "run"> & {
  run: Run;
  /** Passes on a run from a response: after it was resumed, cancelled or answered. Like `retry`, it stays the same. */
  follow: (run: Run) => void;
  /** Reconnects at once after the connection was lost. */
  retry: () => void;
};

/**
 * Follows a run while the component is mounted; each change of the run is also written to the cache of {@link traceRunQuery}.
 */
export function useRunTail(options: RunTailOptions): RunTail {
  const client = useQueryClient();
  const announce = useRef(options.onEntries);
  useEffect(() => {
    announce.current = options.onEntries;
  });
  const [tail] = useState(() => makeTail(client, options, (entries) => announce.current?.(entries)));
  const snapshot = useSyncExternalStore(
    (listener) => tail.subscribe(listener),
    () => tail.snapshot,
    () => tail.snapshot,
  );

  useEffect(() => {
    const onVisibility = () => tail.setHidden(document.visibilityState === "hidden");
    // A connection that was open when the network went away may be dead without notice.
    const onOnline = () => tail.refresh();
    tail.start();
    onVisibility();
    document.addEventListener("visibilitychange", onVisibility);
    window.addEventListener("online", onOnline);
    return () => {
      document.removeEventListener("visibilitychange", onVisibility);
      window.removeEventListener("online", onOnline);
      tail.stop();
    };
  }, [tail]);

  useWatchEnded(tail, options, snapshot);
  const acts = useMemo(() => ({ follow: (run: Run) => tail.follow(run), retry: () => tail.refresh() }), [tail]);
  return useMemo(() => ({ ...snapshot, run: snapshot.run ?? options.run, ...acts }), [snapshot, acts, options.run]);
}

function useWatchEnded(tail: Tail, { source, run }: RunTailOptions, shown: TailSnapshot): void {
  const hasEnded = shown.state === "ended";
  const { data } = useQuery({
    ...traceRunQuery(source),
    initialData: run,
    enabled: hasEnded,
    refetchInterval: run.source_type === "LOCAL" ? LOCAL_POLL_MS : ENDED_POLL_MS,
  });
  useEffect(() => {
    // Resumed and ended again between two polls: it is not live, but has more than is shown. Its pull request may be merged or
    // closed on the code host at any time, and the run may be banned.
    const known = shown.run ?? run;
    const [pull, knownPull] = [data.pull_request, known.pull_request];
    const isMoved =
      pull?.state !== knownPull?.state || pull?.draft !== knownPull?.draft || data.banned_at !== known.banned_at;
    if (hasEnded && (isLive(data) || data.total_logs > shown.totalLogs || isMoved)) tail.follow(data);
  }, [tail, hasEnded, data, shown, run]);
}

function makeTail(
  client: QueryClient,
  { source, run, clip, windowSize }: RunTailOptions,
  announce: (entries: readonly LogEntry[]) => void,
): Tail {
  return new Tail({
    run,
    after: run.total_logs,
    open: (after) => openTrace(source, { after, clip: clip ?? undefined }),
    readRun: (signal) => callTrace(source, "getRun", { signal }),
    onEntries: (entries) => {
      addLiveEntries(client, source, { limit: windowSize, clip }, entries);
      announce(entries);
    },
    onRun: (next) => client.setQueryData(traceRunQuery(source).queryKey, next),
    nextFrame,
    onMissed: () => {
      refreshOpenWindows(client, source, windowSize);
      void client.invalidateQueries({ queryKey: turnsKey(source) });
    },
  });
}
