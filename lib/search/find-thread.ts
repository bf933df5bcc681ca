/** A thread that searches entries, so that the process that serves requests never waits for it. */
import { workerData } from "node:worker_threads";
import { answerQuestions, tellProcess } from "#lib/answer-questions.ts";
import { clipEntry } from "#lib/entry/clip-entry.ts";
import { hitOf } from "./find-hit.ts";
import type { ThreadCall, ThreadCalls, ThreadSettings } from "./find-threads.ts";
import { readIndexProgress } from "./index-progress.ts";
import { openSearchReader } from "./log-reader.ts";

/** Low priority: it gets a quarter of a contended processor. */
const niceness = 5;

// The thread's input is written by find-threads.ts only.
const settings = workerData as ThreadSettings;
const reader = openSearchReader(settings, (error) =>
  tellProcess(error instanceof Error ? (error.stack ?? error.message) : String(error)),
);

const calls: ThreadCalls = {
  scan: reader.scan,
  search: reader.search,
  show: (places, query) =>
    places.map(({ runId, seq }) => {
      const body = reader.find(runId, seq);
      return body === null ? null : hitOf({ seq, body }, query);
    }),
  clip({ runId, seq }, charactersMax) {
    const body = reader.find(runId, seq);
    return body === null ? null : clipEntry(body, charactersMax);
  },
  progress: () => readIndexProgress(settings),
};

answerQuestions(({ name, args }: ThreadCall): unknown => Reflect.apply(calls[name], calls, args), niceness);
