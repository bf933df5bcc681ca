import { Worker } from "node:worker_threads";
import type { Scanned, ScanRange } from "#lib/store/search-reader.ts";
import type { FoundInRuns, WordSearch } from "#lib/store/search-runs.ts";

/** What a thread needs to know of the store. */
export type ThreadSettings = { storeFile: string; indexFile: string };
export type ThreadQuestion = ({ kind: "scan"; range: ScanRange } | { kind: "search"; search: WordSearch }) & {
  msMax: number;
};
export type ThreadAnswer =
  | { kind: "scanned"; scanned: Scanned }
  | { kind: "found"; found: FoundInRuns }
  | { kind: "failed"; reason: string };

/** Looks through entries beside the event loop. */
export type LogScanner = {
  /** How many scans run at once; more of them wait. */
  readonly atOnce: number;
  /** See SearchReader.scan. Throws where the store cannot be read. */
  scan(range: ScanRange, msMax: number): Promise<Scanned>;
  /** See SearchReader.search. Throws where the store cannot be read. */
  search(search: WordSearch, msMax: number): Promise<FoundInRuns>;
  close(): Promise<void>;
};

type Waiting = {
  question: ThreadQuestion;
  resolve: (answer: ThreadAnswer) => void;
  reject: (error: Error) => void;
};

const threadsMax = 2;
const idleMs = 30_000;

/** Threads that are started on first use and end when nothing was asked for a while. */
export function openFindThreads(settings: ThreadSettings): LogScanner {
  const waiting: Waiting[] = [];
  const threads = new Set<FindThread>();
  let closed = false;

  function serve(): void {
    while (waiting.length > 0) {
      let free = [...threads].find((thread) => thread.isFree);
      if (free === undefined) {
        if (threads.size >= threadsMax) return;
        free = new FindThread(settings, serve, (thread) => threads.delete(thread));
        threads.add(free);
      }
      const next = waiting.shift();
      if (next !== undefined) free.take(next);
    }
  }

  function ask(question: ThreadQuestion): Promise<ThreadAnswer> {
    if (closed) return Promise.reject(new Error("The search is closed"));
    return new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject });
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
    async close() {
      closed = true;
      for (const { reject } of waiting.splice(0)) reject(new Error("The search is closed"));
      await Promise.all([...threads].map((thread) => thread.end()));
    },
  };
}

/** One thread with at most one question. */
class FindThread {
  readonly #worker: Worker;
  readonly #gone: (thread: FindThread) => void;
  #current: Waiting | null = null;
  #idle: NodeJS.Timeout | null = null;

  constructor(settings: ThreadSettings, freed: () => void, gone: (thread: FindThread) => void) {
    this.#gone = gone;
    this.#worker = new Worker(new URL("./find-thread.ts", import.meta.url), { workerData: settings });
    this.#worker.unref();
    this.#worker.on("message", (answer: ThreadAnswer) => {
      const current = this.#current;
      this.#current = null;
      this.#rest();
      if (answer.kind === "failed") current?.reject(new Error(`The search failed: ${answer.reason}`));
      else current?.resolve(answer);
      freed();
    });
    this.#worker.on("error", (error) => this.#fail(error instanceof Error ? error : new Error(String(error))));
    this.#worker.on("exit", () => {
      this.#fail(new Error("The thread that searches has ended"));
      freed();
    });
  }

  get isFree(): boolean {
    return this.#current === null;
  }

  take(next: Waiting): void {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = null;
    this.#current = next;
    this.#worker.postMessage(next.question);
  }

  async end(): Promise<void> {
    this.#gone(this);
    if (this.#idle !== null) clearTimeout(this.#idle);
    await this.#worker.terminate();
  }

  #rest(): void {
    this.#idle = setTimeout(() => void this.end(), idleMs);
    this.#idle.unref();
  }

  #fail(error: Error): void {
    this.#gone(this);
    this.#current?.reject(error);
    this.#current = null;
  }
}
