import { Worker } from "node:worker_threads";
import { ApiError } from "#lib/contract/error.ts";
import type { AskedRun, SaidAnalysis } from "./analysis-runs.ts";

/** What the thread needs of the store. */
export type AnalysisThreadSettings = { storeFile: string };
/** `until`: when to answer with what is known, in ms since 1970, so that the thread's start-up time counts too. */
export type AnalysisQuestion = { id: number; run: AskedRun; until: number };
export type AnalysisAnswer =
  | { id: number; kind: "said"; said: SaidAnalysis }
  | { id: number; kind: "failed"; reason: string };

/** Analyzes runs off the event loop. The caller must have checked that the run is visible. */
export type RunAnalyst = {
  /**
   * Analysis of a run as far as it was read after `msMax`. Throws if the store cannot be read, and unavailable if the thread
   * works on one thing for too long.
   */
  analyse(run: AskedRun, msMax: number): Promise<SaidAnalysis>;
  close(): Promise<void>;
};

type Asker = { resolve(said: SaidAnalysis): void; reject(error: Error): void };

const idleMs = 300_000;
/** How long a thread may be late with an answer: the largest entries take seconds. */
const lateMsMax = 30_000;
/**
 * Nearly everything that is read becomes garbage at once, so the young generation stays small: twice as much costs 9 MB
 * more. Analyses hold about 20 MB; the rest of the old generation is for entries of tens of megabytes, and a limit
 * makes the collector run sooner on those.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 512 };

/** A thread that starts on first use and ends after a while without questions; it then reads everything again. */
export function openAnalysisThread(
  { storeFile }: AnalysisThreadSettings,
  { lateMs = lateMsMax }: { lateMs?: number } = {},
): RunAnalyst {
  const askers = new Map<number, Asker>();
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | null = null;
  let lastId = 0;
  let isClosed = false;

  function start(): Worker {
    const workerData: AnalysisThreadSettings = { storeFile };
    const thread = new Worker(new URL("./analysis-thread.ts", import.meta.url), { workerData, resourceLimits });
    let failure: Error | null = null;
    thread.on("message", (message: AnalysisAnswer) => {
      // In Node's watch mode a thread also reports the files it has loaded. Nobody waits for a thread that was left.
      if (message.kind === undefined || worker !== thread) return;
      const asker = askers.get(message.id);
      askers.delete(message.id);
      if (askers.size === 0) rest(thread);
      if (message.kind === "said") asker?.resolve(message.said);
      else asker?.reject(new Error(`The analysis failed: ${message.reason}`));
    });
    thread.on("error", (error) => {
      failure = error instanceof Error ? error : new Error(String(error));
    });
    thread.on("exit", () => {
      const error = failure ?? new Error("The thread that analyzes runs has ended");
      leave(thread, error);
    });
    return thread;
  }

  /** Asks the thread nothing more, and rejects its callers. A thread that was told to end has none. */
  function leave(thread: Worker, error: Error): void {
    if (worker !== thread) return;
    worker = null;
    for (const { reject } of askers.values()) reject(error);
    askers.clear();
  }

  /** Nobody waits: the process may exit, and the thread ends after a while. */
  function rest(thread: Worker): void {
    thread.unref();
    idle = setTimeout(() => {
      worker = null;
      void thread.terminate();
    }, idleMs);
    idle.unref();
  }

  return {
    analyse(run, msMax) {
      if (isClosed) return Promise.reject(new Error("The analysis is closed"));
      if (idle !== null) clearTimeout(idle);
      worker ??= start();
      // The process stays alive while a question is open.
      worker.ref();
      lastId += 1;
      const question: AnalysisQuestion = { id: lastId, run, until: Date.now() + msMax };
      const thread = worker;
      thread.postMessage(question);
      const late = setTimeout(() => {
        leave(thread, new ApiError("unavailable", "The analysis is taking too long. Try again later."));
        void thread.terminate();
      }, msMax + lateMs);
      const answered = new Promise<SaidAnalysis>((resolve, reject) => askers.set(question.id, { resolve, reject }));
      return answered.finally(() => clearTimeout(late));
    },
    async close() {
      isClosed = true;
      if (idle !== null) clearTimeout(idle);
      await worker?.terminate();
    },
  };
}
