/** The thread that maintains the search index: it parses JSON and compresses text here, off the agents' event loop. */
import { statSync } from "node:fs";
import { setImmediate as turn, setTimeout as wait } from "node:timers/promises";
import { parentPort, threadId, workerData } from "node:worker_threads";
import { openEntrySource } from "#lib/store/entry-source.ts";
import { DamagedIndexError, removeIndexFile } from "./index-file.ts";
import { IndexTakenError, openSearchIndex } from "./index-writer.ts";
import { SearchIndexer } from "./indexer.ts";
import type { IndexingMessage, IndexingSettings } from "./indexing.ts";

const pollMs = 100;
/** How often to check whether the file is still the open one. */
const lookMs = 1000;
const retryMs = 3000;
// The thread's input is written by indexing.ts only.
const { storeFile, indexFile, engineId } = workerData as IndexingSettings;

const stop = new AbortController();
parentPort?.on("message", () => stop.abort());

const inodeOf = () => statSync(indexFile, { throwIfNoEntry: false })?.ino ?? null;

/** Indexes until it is stopped, or until the file was deleted or replaced; throws on errors. */
async function work(): Promise<void> {
  const source = openEntrySource(storeFile);
  try {
    const index = openSearchIndex(indexFile);
    try {
      const indexer = new SearchIndexer({ source, index, owner: `${engineId}:${threadId}`, now: Date.now });
      const inode = inodeOf();
      let lookedAt = performance.now();
      while (!stop.signal.aborted) {
        if (performance.now() - lookedAt > lookMs) {
          lookedAt = performance.now();
          if (inode === null || inodeOf() !== inode) return;
        }
        const isBehind = indexer.step();
        if (isBehind) await turn();
        else await pause(pollMs);
      }
      indexer.finish();
    } finally {
      index.close();
    }
  } finally {
    source.close();
  }
}

async function pause(ms: number): Promise<void> {
  await wait(ms, null, { signal: stop.signal }).catch(() => undefined);
}

// SQLite's codes for a damaged file and for one that is not a database.
function isDamaged(error: unknown): boolean {
  if (error instanceof DamagedIndexError) return true;
  const code = error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : 0;
  return code === 11 || code === 26;
}

while (!stop.signal.aborted) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof IndexTakenError)) {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      parentPort?.postMessage({ kind: "failed", message } satisfies IndexingMessage);
      // Everything in it can be rebuilt.
      if (isDamaged(error)) removeIndexFile(indexFile);
    }
    await pause(retryMs);
  }
}
parentPort?.close();
