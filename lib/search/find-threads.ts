import { availableParallelism } from "node:os";
import type { FindHit } from "#lib/contract/logs/find.ts";
import { WorkerPool } from "#lib/worker-pool.ts";
import type { HitQuery } from "./find-hit.ts";
import type { Scanned, ScanRange } from "./log-reader.ts";
import type { FoundInRuns, WordSearch } from "./word-search.ts";

/** What a thread needs of the store. */
export type ThreadSettings = { storeFile: string; indexFile: string };

/** What a thread does. It throws if the store cannot be read. */
export type ThreadCalls = {
  /** See SearchReader.scan. */
  scan(range: ScanRange, msMax: number): Scanned;
  /** See SearchReader.search. */
  search(search: WordSearch, msMax: number): FoundInRuns;
  /** The entries with their matches, null for those without. Takes precedence over waiting scans. */
  show(places: readonly Place[], query: HitQuery): (FindHit | null)[];
  /** See clipEntry; null if there is no such entry. Also takes precedence. */
  clip(place: Place, charactersMax: number): string | null;
  /** Number of entries, and of those the index covers; null if there is no readable index. */
  progress(): { indexed: number; all: number } | null;
};
type CallName = keyof ThreadCalls;
type Call<Name extends CallName> = (...args: Parameters<ThreadCalls[Name]>) => Promise<ReturnType<ThreadCalls[Name]>>;
export type ThreadCall = { name: CallName; args: readonly unknown[] };

/** Position of an entry. */
export type Place = { runId: number; seq: number };

/** Searches entries off the event loop. The caller must have checked that the runs are visible. */
export type LogScanner = { [Name in CallName]: Call<Name> } & {
  /** Number of scans that run at once; further ones wait. */
  readonly atOnce: number;
  close(): Promise<void>;
};

/** At least two: they also wait for the disk. */
const threadsMax = Math.max(2, Math.min(4, availableParallelism() - 2));
/** A thread keeps some 30 MB, and the next one starts in a tenth of a second. */
const idleMs = 45_000;
/** Time between reports that the index cannot be read: each search may fail at the same row. */
const reportMs = 60_000;
/** Nearly everything a thread creates becomes garbage at once; it needs little room. */
const resourceLimits = { maxYoungGenerationSizeMb: 12 };

/**
 * Threads that start on first use and end after a while without questions. If the index cannot be read, searches take longer, and
 * `onIndexFailure` is called, at most once a minute.
 */
export function openFindThreads(settings: ThreadSettings, onIndexFailure: (reason: string) => void): LogScanner {
  let reportedAt = Number.NEGATIVE_INFINITY;
  const pool = new WorkerPool<ThreadCall, unknown>({
    program: new URL("./find-thread.ts", import.meta.url),
    name: "The search",
    ...{ workerData: settings, resourceLimits, threadsMax, questionsMax: 1, idleMs },
    onNote(reason) {
      if (Date.now() - reportedAt < reportMs) return;
      reportedAt = Date.now();
      onIndexFailure(reason);
    },
  });
  // A thread answers each call with what that call returns.
  const call = <Name extends CallName>(name: Name, isFirst = false): Call<Name> =>
    ((...args) => pool.ask({ name, args }, { isFirst })) as Call<Name>;
  return {
    atOnce: threadsMax,
    scan: call("scan"),
    search: call("search"),
    // Somebody is waiting for interim results.
    show: call("show", true),
    clip: call("clip", true),
    progress: call("progress"),
    close: () => pool.close(),
  };
}
