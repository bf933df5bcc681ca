import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { FindHit } from "#lib/contract/find.ts";
import type { HitQuery } from "./find-hit.ts";
import type { Scanned, ScanRange } from "./log-reader.ts";
import type { FoundInRuns, WordSearch } from "./word-search.ts";

/** What a thread needs of the store. */
export type ThreadSettings = { storeFile: string; indexFile: string };
export type ThreadQuestion =
  | { kind: "scan"; range: ScanRange; msMax: number }
  | { kind: "search"; search: WordSearch; msMax: number }
  | { kind: "progress" }
  | { kind: "show"; places: readonly Place[]; query: HitQuery };
export type ThreadAnswer =
  | { kind: "scanned"; scanned: Scanned }
  | { kind: "found"; found: FoundInRuns }
  | { kind: "progress"; progress: { indexed: number; all: number } | null }
  | { kind: "shown"; hits: (FindHit | null)[] }
  | { kind: "failed"; reason: string };
/** Messages of a thread: that it could open the store, then answers; if the index could not be read, why, before the answer. */
export type ThreadMessage = { kind: "ready" } | { kind: "index_failed"; reason: string } | ThreadAnswer;

/** Position of an entry. */
export type Place = { runId: number; seq: number };

/** Searches entries off the event loop. The caller must have checked that the runs are visible. */
export type LogScanner = {
  /** Number of scans that run at once; further ones wait. */
  readonly atOnce: number;
  /** See SearchReader.scan. Throws if the store cannot be read. */
  scan(range: ScanRange, msMax: number): Promise<Scanned>;
  /** See SearchReader.search. Throws if the store cannot be read. */
  search(search: WordSearch, msMax: number): Promise<FoundInRuns>;
  /** The entries with their matches, null for those without. Takes precedence over waiting scans. */
  show(places: readonly Place[], query: HitQuery): Promise<(FindHit | null)[]>;
  /** Number of entries, and of those the index covers; null if there is no readable index. */
  progress(): Promise<{ indexed: number; all: number } | null>;
  close(): Promise<void>;
};

type Waiting = {
  question: ThreadQuestion;
  resolve: (answer: ThreadAnswer) => void;
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

  function ask(question: ThreadQuestion): Promise<ThreadAnswer> {
    if (closed) return Promise.reject(new Error("The search is closed"));
    return new Promise((resolve, reject) => {
      // Somebody is waiting for interim results.
      if (question.kind === "show") waiting.unshift({ question, resolve, reject });
      else waiting.push({ question, resolve, reject });
      serve();
    });
  }

  return {
    atOnce: threadsMax,
    async scan(range, msMax) {
      const answer = await ask({ kind: "scan", range, msMax });
      if (answer.kind === "scanned") return answer.scanned;
      throw new Error("The thread answered something else");
    },
    async search(search, msMax) {
      const answer = await ask({ kind: "search", search, msMax });
      if (answer.kind === "found") return answer.found;
      throw new Error("The thread answered something else");
    },
    async show(places, query) {
      if (places.length === 0) return [];
      const answer = await ask({ kind: "show", places, query });
      if (answer.kind === "shown") return answer.hits;
      throw new Error("The thread answered something else");
    },
    async progress() {
      const answer = await ask({ kind: "progress" });
      if (answer.kind === "progress") return answer.progress;
      throw new Error("The thread answered something else");
    },
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

/** One thread with at most one question. */
class FindThread {
  readonly #worker: Worker;
  #isStarting = true;
  #current: Waiting | null = null;
  #idle: NodeJS.Timeout | null = null;
  #failure: Error | null = null;

  constructor(settings: ThreadSettings, { freed, ended, indexFailed }: ThreadEvents) {
    this.#worker = new Worker(new URL("./find-thread.ts", import.meta.url), { workerData: settings, resourceLimits });
    this.#worker.on("message", (answer: ThreadMessage) => {
      // In Node's watch mode a thread also reports the files it has loaded.
      if (answer.kind === undefined) return;
      if (answer.kind === "index_failed") return indexFailed(answer.reason);
      this.#isStarting = false;
      const current = this.#current;
      this.#current = null;
      this.#rest();
      if (answer.kind === "failed") current?.reject(new Error(`The search failed: ${answer.reason}`));
      else if (answer.kind !== "ready") current?.resolve(answer);
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
    // The process stays alive while a question is open.
    this.#worker.ref();
    this.#worker.postMessage(next.question);
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
