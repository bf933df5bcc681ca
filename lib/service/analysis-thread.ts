/** A thread that analyzes runs, so that the process that serves requests never waits for it. */
import { constants, getPriority, setPriority } from "node:os";
import { platform } from "node:process";
import { parentPort, workerData } from "node:worker_threads";
import { openAnalysisReader } from "#lib/store/analysis-reader.ts";
import { AnalysisRuns } from "./analysis-runs.ts";
import type { AnalysisAnswer, AnalysisQuestion, AnalysisThreadSettings } from "./analysis-threads.ts";

/**
 * Lower priority than a search: it gives way to everything that serves requests. Only Linux has priorities per thread.
 */
const niceness = 10;
/** How long it reads before it checks for questions, in ms. */
const sliceMs = 25;
/**
 * Minimum reading time for a question, in ms, however long the thread took to start: a short run is then read
 * completely.
 */
const readMsMin = 250;

// The thread's input is written by analysis-threads.ts only.
const runs = new AnalysisRuns(openAnalysisReader((workerData as AnalysisThreadSettings).storeFile));
/** Waiting questions, oldest first. */
let waiting: AnalysisQuestion[] = [];
/** A run whose caller got a partial analysis: the rest is read while nobody waits. */
let unfinished: AnalysisQuestion["run"] | null = null;
let isWorking = false;

parentPort?.on("message", (question: AnalysisQuestion) => {
  waiting.push({ ...question, until: Math.max(question.until, Date.now() + readMsMin) });
  if (isWorking) return;
  isWorking = true;
  setImmediate(work);
});

if (platform === "linux") setPriority(Math.min(getPriority() + niceness, constants.priority.PRIORITY_LOW));

function work(): void {
  const [next] = waiting;
  const run = next?.run ?? unfinished;
  if (run === null) {
    isWorking = false;
    return;
  }
  try {
    const isWhole = runs.readOn(run, sliceMs);
    if (isWhole && unfinished?.id === run.id) unfinished = null;
    answerDue(isWhole ? run.id : null);
  } catch (error) {
    if (unfinished?.id === run.id) unfinished = null;
    if (next !== undefined) {
      waiting = waiting.filter((one) => one !== next);
      answerFailed(next, error);
    }
  }
  setImmediate(work);
}

/** Answers callers whose run has been read completely, and callers who have waited long enough. */
function answerDue(wholeId: number | null): void {
  const now = Date.now();
  const [first] = waiting;
  const due = waiting.filter((one) => now >= one.until || (one === first && one.run.id === wholeId));
  waiting = waiting.filter((one) => !due.includes(one));
  for (const question of due) {
    const { id, run } = question;
    try {
      const said = runs.say(run);
      if (!said.isWhole) unfinished = run;
      answer({ id, kind: "said", said });
    } catch (error) {
      answerFailed(question, error);
    }
  }
}

function answerFailed({ id }: AnalysisQuestion, error: unknown): void {
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  answer({ id, kind: "failed", reason });
}

function answer(message: AnalysisAnswer): void {
  parentPort?.postMessage(message);
}
