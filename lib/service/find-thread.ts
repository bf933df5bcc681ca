/** A thread that looks through entries, so that the process that answers requests never waits for it. */
import { parentPort, workerData } from "node:worker_threads";
import { openSearchReader } from "#lib/store/search-reader.ts";
import type { ThreadAnswer, ThreadQuestion, ThreadSettings } from "./find-threads.ts";

// What a thread is started with is written by find-threads.ts alone.
const reader = openSearchReader(workerData as ThreadSettings);

parentPort?.on("message", ({ id, range, msMax }: ThreadQuestion) => {
  try {
    const scanned = reader.scan(range, msMax);
    answer({ id, scanned });
  } catch (error) {
    answer({ id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});

function answer(message: ThreadAnswer): void {
  parentPort?.postMessage(message);
}
