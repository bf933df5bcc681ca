/** A thread that searches entries, so that the process that serves requests never waits for it. */
import { constants, getPriority, setPriority } from "node:os";
import { platform } from "node:process";
import { parentPort, workerData } from "node:worker_threads";
import { hitOf } from "./find-hit.ts";
import type { ThreadCall, ThreadCalls, ThreadMessage, ThreadSettings } from "./find-threads.ts";
import { readIndexProgress } from "./index-progress.ts";
import { openSearchReader } from "./log-reader.ts";

/** Low priority: it gets a quarter of a contended processor. */
const niceness = 5;

// The thread's input is written by find-threads.ts only.
const settings = workerData as ThreadSettings;
const reader = openSearchReader(settings, (error) =>
  parentPort?.postMessage({ kind: "index_failed", reason: reasonOf(error) } satisfies ThreadMessage),
);

const calls: ThreadCalls = {
  scan: reader.scan,
  search: reader.search,
  show: (places, query) =>
    places.map(({ runId, seq }) => {
      const body = reader.find(runId, seq);
      return body === null ? null : hitOf({ seq, body }, query);
    }),
  progress: () => readIndexProgress(settings),
};

function answerTo({ name, args }: ThreadCall): ThreadMessage {
  try {
    return { kind: "answer", answer: Reflect.apply(calls[name], calls, args) };
  } catch (error) {
    return { kind: "failed", reason: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

parentPort?.on("message", (call: ThreadCall) => parentPort?.postMessage(answerTo(call)));

// Gives way to the serving of requests. Only Linux has priorities per thread: elsewhere it would apply to the process.
if (platform === "linux") setPriority(Math.min(getPriority() + niceness, constants.priority.PRIORITY_LOW));

parentPort?.postMessage({ kind: "ready" } satisfies ThreadMessage);
