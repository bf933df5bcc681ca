/** A thread that analyzes runs, so that the process that serves requests never waits for it. */
import { workerData } from "node:worker_threads";
import { answerQuestions } from "#lib/answer-questions.ts";
import { openAnalysisReader } from "#lib/store/entries/analysis-reader.ts";
import { AnalysisRuns, type SaidAnalysis } from "./analysis-runs.ts";
import type { AnalysisQuestion, AnalysisThreadSettings } from "./analysis-threads.ts";

/** Lower priority than a search: it gives way to everything that serves requests. */
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
type Waiting = AnalysisQuestion & { resolve: (said: SaidAnalysis) => void; reject: (error: unknown) => void };
/** Waiting questions, oldest first. */
let waiting: Waiting[] = [];
/** A run whose caller got a partial analysis: the rest is read while nobody waits. */
let unfinished: AnalysisQuestion["run"] | null = null;
let isWorking = false;

answerQuestions(({ run, until }: AnalysisQuestion): Promise<SaidAnalysis> => {
  const { promise, ...settle } = Promise.withResolvers<SaidAnalysis>();
  waiting.push({ run, until: Math.max(until, Date.now() + readMsMin), ...settle });
  if (!isWorking) setImmediate(work);
  isWorking = true;
  return promise;
}, niceness);

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
      next.reject(error);
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
  for (const { run, resolve, reject } of due) {
    try {
      const said = runs.say(run);
      if (!said.isWhole) unfinished = run;
      resolve(said);
    } catch (error) {
      reject(error);
    }
  }
}
