import { awakeLimit } from "#lib/awake-timer.ts";
import { ApiError } from "#lib/contract/error.ts";
import { WorkerPool } from "#lib/worker-pool.ts";
import type { AskedRun, SaidAnalysis } from "./analysis-runs.ts";

/** What the thread needs of the store. */
export type AnalysisThreadSettings = { storeFile: string };
/** `until`: when to answer with what is known, in ms since 1970, so that the thread's start-up time counts too. */
export type AnalysisQuestion = { run: AskedRun; until: number };

/** Analyzes runs off the event loop. The caller must have checked that the run is visible. */
export type RunAnalyst = {
  /**
   * Analysis of a run as far as it was read after `msMax`. Throws if the store cannot be read, and unavailable if the thread
   * works on one thing for too long.
   */
  analyse(run: AskedRun, msMax: number): Promise<SaidAnalysis>;
  close(): Promise<void>;
};

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
  const pool = new WorkerPool<AnalysisQuestion, SaidAnalysis>({
    program: new URL("./analysis-thread.ts", import.meta.url),
    name: "The analysis",
    workerData: { storeFile } satisfies AnalysisThreadSettings,
    ...{ resourceLimits, threadsMax: 1, questionsMax: Number.POSITIVE_INFINITY, idleMs },
  });
  return {
    async analyse(run, msMax) {
      const refusal = () => new ApiError("unavailable", "The analysis is taking too long. Try again later.");
      using limit = awakeLimit(msMax + lateMs, undefined, refusal);
      return await pool.ask({ run, until: Date.now() + msMax }, { signal: limit.signal });
    },
    close: () => pool.close(),
  };
}
