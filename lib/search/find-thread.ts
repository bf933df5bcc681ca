/** A thread that searches entries, so that the process that serves requests never waits for it. */
import { constants, getPriority, setPriority } from "node:os";
import { platform } from "node:process";
import { parentPort, workerData } from "node:worker_threads";
import type { FindHit } from "#lib/contract/find.ts";
import { type HitQuery, hitOf } from "./find-hit.ts";
import type { Place, ThreadAnswer, ThreadMessage, ThreadQuestion, ThreadSettings } from "./find-threads.ts";
import { readIndexProgress } from "./index-progress.ts";
import { openSearchReader } from "./log-reader.ts";

/** Low priority: it gets a quarter of a contended processor. */
const niceness = 5;

// The thread's input is written by find-threads.ts only.
const settings = workerData as ThreadSettings;
const reader = openSearchReader(settings, (error) =>
  parentPort?.postMessage({ kind: "index_failed", reason: reasonOf(error) } satisfies ThreadMessage),
);

parentPort?.on("message", (question: ThreadQuestion) => parentPort?.postMessage(answerTo(question)));

// Gives way to the serving of requests. Only Linux has priorities per thread: elsewhere it would apply to the process.
if (platform === "linux") setPriority(Math.min(getPriority() + niceness, constants.priority.PRIORITY_LOW));

function answerTo(question: ThreadQuestion): ThreadAnswer {
  try {
    switch (question.kind) {
      case "scan":
        return { kind: "scanned", scanned: reader.scan(question.range, question.msMax) };
      case "search":
        return { kind: "found", found: reader.search(question.search, question.msMax) };
      case "progress":
        return { kind: "progress", progress: readIndexProgress(settings) };
      case "show":
        return { kind: "shown", hits: question.places.map((place) => show(place, question.query)) };
    }
  } catch (error) {
    return { kind: "failed", reason: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function show({ runId, seq }: Place, query: HitQuery): FindHit | null {
  const body = reader.find(runId, seq);
  return body === null ? null : hitOf({ seq, body }, query);
}

parentPort?.postMessage({ kind: "ready" } satisfies ThreadMessage);
