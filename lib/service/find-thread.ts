/** A thread that looks through entries, so that the process that answers requests never waits for it. */
import { parentPort, workerData } from "node:worker_threads";
import { openSearchReader } from "#lib/store/search-reader.ts";
import { type ThreadAnswer, type ThreadQuestion, type ThreadSettings, threadIsReady } from "./find-threads.ts";

// What a thread is started with is written by find-threads.ts alone.
const reader = openSearchReader(workerData as ThreadSettings);

parentPort?.on("message", (question: ThreadQuestion) => parentPort?.postMessage(answerTo(question)));

function answerTo(question: ThreadQuestion): ThreadAnswer {
  try {
    return question.kind === "scan"
      ? { kind: "scanned", scanned: reader.scan(question.range, question.msMax) }
      : { kind: "found", found: reader.search(question.search, question.msMax) };
  } catch (error) {
    return { kind: "failed", reason: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

parentPort?.postMessage(threadIsReady);
