/** A thread that looks through entries, so that the process that answers requests never waits for it. */
import { parentPort, workerData } from "node:worker_threads";
import type { FindHit } from "#lib/contract/find.ts";
import { openSearchReader } from "#lib/store/search-reader.ts";
import { hitOf, type SoughtText } from "./find-hit.ts";
import type { Place, ThreadAnswer, ThreadMessage, ThreadQuestion, ThreadSettings } from "./find-threads.ts";

// What a thread is started with is written by find-threads.ts alone.
const reader = openSearchReader(workerData as ThreadSettings);

parentPort?.on("message", (question: ThreadQuestion) => parentPort?.postMessage(answerTo(question)));

function answerTo(question: ThreadQuestion): ThreadAnswer {
  try {
    switch (question.kind) {
      case "scan":
        return { kind: "scanned", scanned: reader.scan(question.range, question.msMax) };
      case "search":
        return { kind: "found", found: reader.search(question.search, question.msMax) };
      case "show":
        return { kind: "shown", hits: question.places.map((place) => show(place, question.sought)) };
    }
  } catch (error) {
    return { kind: "failed", reason: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function show({ runId, seq }: Place, sought: SoughtText): FindHit | null {
  const body = reader.find(runId, seq);
  return body === null ? null : hitOf({ seq, body }, sought);
}

parentPort?.postMessage({ kind: "ready" } satisfies ThreadMessage);
