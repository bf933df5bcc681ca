/** A thread that looks through entries, so that the process that answers requests never waits for it. */
import { constants, getPriority, setPriority } from "node:os";
import { platform } from "node:process";
import { parentPort, workerData } from "node:worker_threads";
import type { FindHit } from "#lib/contract/find.ts";
import { hitOf, type SoughtText } from "./find-hit.ts";
import type { Place, ThreadAnswer, ThreadMessage, ThreadQuestion, ThreadSettings } from "./find-threads.ts";
import { openSearchReader } from "./log-reader.ts";
import { readIndexStanding } from "./standing.ts";

/** So much less urgent than the rest of the process: it gets a quarter of a processor that is wanted by others too. */
const niceness = 5;

// What a thread is started with is written by find-threads.ts alone.
const settings = workerData as ThreadSettings;
const reader = openSearchReader(settings);

parentPort?.on("message", (question: ThreadQuestion) => parentPort?.postMessage(answerTo(question)));

// It gives way to those that answer requests. Only Linux has a priority for each thread: elsewhere it would be that of the process.
if (platform === "linux") setPriority(Math.min(getPriority() + niceness, constants.priority.PRIORITY_LOW));

function answerTo(question: ThreadQuestion): ThreadAnswer {
  try {
    switch (question.kind) {
      case "scan":
        return { kind: "scanned", scanned: reader.scan(question.range, question.msMax) };
      case "search":
        return { kind: "found", found: reader.search(question.search, question.msMax) };
      case "standing":
        return { kind: "stands", standing: readIndexStanding(settings) };
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
