import { Worker } from "node:worker_threads";
import type { AskedRun, SaidAnalysis } from "./analysis-runs.ts";

/** What the thread needs to know of the store. */
export type AnalysisThreadSettings = { storeFile: string };
/** `until`: the moment at which what is known must do, in ms since 1970, so that the time to start the thread counts too. */
export type AnalysisQuestion = { id: number; run: AskedRun; until: number };
export type AnalysisAnswer =
  | { id: number; kind: "said"; said: SaidAnalysis }
  | { id: number; kind: "failed"; reason: string };

/** Analyses runs beside the event loop. The caller has made sure that the run may be seen. */
export type RunAnalyst = {
  /** The analysis of a run, as far as it was read when `msMax` had passed. Throws where the store cannot be read. */
  analyse(run: AskedRun, msMax: number): Promise<SaidAnalysis>;
  close(): Promise<void>;
};

type Asker = { resolve(said: SaidAnalysis): void; reject(error: Error): void };

const idleMs = 300_000;
/**
 * Nearly all that is read is garbage at once, so little room is kept for it: twice as much is 9 MB more. What analyses hold is about
 * 20 MB; the rest of the old generation is for entries of tens of megabytes, and with a bound on it garbage of that kind is
 * collected sooner.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 512 };

/** One thread that is started on first use and ends when nothing was asked for a while; what it knew is read again then. */
export function openAnalysisThread({ storeFile }: AnalysisThreadSettings): RunAnalyst {
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
      // Under Node's watch mode a thread also tells which files it has loaded.
      if (message.kind === undefined) return;
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
      // One that was told to end has no askers.
      if (worker !== thread) return;
      worker = null;
      const error = failure ?? new Error("The thread that analyses runs has ended");
      for (const { reject } of askers.values()) reject(error);
      askers.clear();
    });
    return thread;
  }

  /** Nobody waits: the process may end, and after a while the thread does. */
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
      // The process lives at least as long as a question.
      worker.ref();
      lastId += 1;
      const question: AnalysisQuestion = { id: lastId, run, until: Date.now() + msMax };
      worker.postMessage(question);
      return new Promise((resolve, reject) => askers.set(question.id, { resolve, reject }));
    },
    async close() {
      isClosed = true;
      if (idle !== null) clearTimeout(idle);
      await worker?.terminate();
    },
  };
}
