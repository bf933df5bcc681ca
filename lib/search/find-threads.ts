import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { FindHit } from "#lib/contract/find.ts";
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
  /** Number of entries, and of those the index covers; null if there is no readable index. */
  progress(): { indexed: number; all: number } | null;
};
type CallName = keyof ThreadCalls;
type Call<Name extends CallName> = (...args: Parameters<ThreadCalls[Name]>) => Promise<ReturnType<ThreadCalls[Name]>>;
export type ThreadCall = { name: CallName; args: readonly unknown[] };

/** Messages of a thread: that it could open the store, then answers; if the index could not be read, why, before the answer. */
export type ThreadMessage =
  | { kind: "ready" }
  | { kind: "index_failed"; reason: string }
  | { kind: "answer"; answer: unknown }
  | { kind: "failed"; reason: string };

/** Position of an entry. */
export type Place = { runId: number; seq: number };

/** Searches entries off the event loop. The caller must have checked that the runs are visible. */
export type LogScanner = { [Name in CallName]: Call<Name> } & {
  /** Number of scans that run at once; further ones wait. */
  readonly atOnce: number;
  close(): Promise<void>;
};

type Waiting = {
  call: ThreadCall;
  resolve: (answer: never) => void;
  reject: (error: Error) => void;
};

/** At least two: they also wait for the disk. */
const threadsMax = Math.max(2, Math.min(4, availableParallelism() - 2));
const idleMs = 300_000;
/** Time between reports that the index cannot be read: each search may fail at the same row. */
const reportMs = 60_000;
/** Nearly everything a thread creates becomes garbage at once; it needs little room. */
const resourceLimits = { maxYoungGenerationSizeMb: 12 };

/**
 * Threads that start on first use and end after a while without questions. If the index cannot be read, searches take longer, and
 * `onIndexFailure` is called, at most once a minute.
 */
export function openFindThreads(settings: ThreadSettings, onIndexFailure: (reason: string) => void): LogScanner {
  const waiting: Waiting[] = [];
  const threads = new Set<FindThread>();
  let closed = false;
  let reportedAt = Number.NEGATIVE_INFINITY;

  const events: ThreadEvents = {
    freed: serve,
    ended(thread, error) {
      threads.delete(thread);
      // If a thread cannot start, it will not start next time either: report the reason to all waiting callers.
      if (thread.isStarting) for (const { reject } of waiting.splice(0)) reject(error);
      serve();
    },
    indexFailed(reason) {
      if (Date.now() - reportedAt < reportMs) return;
      reportedAt = Date.now();
      onIndexFailure(reason);
    },
  };

  /** Waiting work goes to a thread that is free now: one that is starting may be too late for it. */
  function serve(): void {
    for (const thread of threads) {
      const next = thread.isFree ? waiting.shift() : undefined;
      if (next !== undefined) thread.take(next);
    }
    const starting = [...threads].filter((thread) => thread.isStarting).length;
    for (let more = waiting.length - starting; more > 0 && threads.size < threadsMax; more -= 1) {
      threads.add(new FindThread(settings, events));
    }
  }

  const call =
    <Name extends CallName>(name: Name): Call<Name> =>
    (...args) => {
      if (closed) return Promise.reject(new Error("The search is closed"));
      return new Promise((resolve, reject) => {
        const next = { call: { name, args }, resolve, reject };
        // Somebody is waiting for interim results.
        if (name === "show") waiting.unshift(next);
        else waiting.push(next);
        serve();
      });
    };

  return {
    atOnce: threadsMax,
    scan: call("scan"),
    search: call("search"),
    show: call("show"),
    progress: call("progress"),
    async close() {
      closed = true;
      for (const { reject } of waiting.splice(0)) reject(new Error("The search is closed"));
      await Promise.all([...threads].map((thread) => thread.end()));
    },
  };
}

type ThreadEvents = {
  freed(): void;
  ended(thread: FindThread, error: Error): void;
  indexFailed(reason: string): void;
};

/** One thread with at most one call. */
class FindThread {
  readonly #worker: Worker;
  #isStarting = true;
  #current: Waiting | null = null;
  #idle: NodeJS.Timeout | null = null;
  #failure: Error | null = null;

  constructor(settings: ThreadSettings, { freed, ended, indexFailed }: ThreadEvents) {
    this.#worker = new Worker(new URL("./find-thread.ts", import.meta.url), { workerData: settings, resourceLimits });
    this.#worker.on("message", (message: ThreadMessage) => {
      // In Node's watch mode a thread also reports the files it has loaded.
      if (message.kind === undefined) return;
      if (message.kind === "index_failed") return indexFailed(message.reason);
      this.#isStarting = false;
      const current = this.#current;
      this.#current = null;
      this.#rest();
      if (message.kind === "failed") current?.reject(new Error(`The search failed: ${message.reason}`));
      // A thread answers each call with what that call returns.
      else if (message.kind === "answer") current?.resolve(message.answer as never);
      freed();
    });
    this.#worker.on("error", (error) => {
      this.#failure = error instanceof Error ? error : new Error(String(error));
    });
    this.#worker.on("exit", () => {
      const error = this.#failure ?? new Error("The thread that searches has ended");
      this.#current?.reject(error);
      this.#current = null;
      if (this.#idle !== null) clearTimeout(this.#idle);
      ended(this, error);
    });
  }

  get isStarting(): boolean {
    return this.#isStarting;
  }

  get isFree(): boolean {
    return !this.#isStarting && this.#current === null && this.#failure === null;
  }

  take(next: Waiting): void {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#current = next;
    // The process stays alive while a call is open.
    this.#worker.ref();
    this.#worker.postMessage(next.call);
  }

  async end(): Promise<void> {
    this.#failure = new Error("The thread that searches has ended");
    await this.#worker.terminate();
  }

  #rest(): void {
    this.#worker.unref();
    this.#idle = setTimeout(() => void this.end(), idleMs);
    this.#idle.unref();
  }
}
