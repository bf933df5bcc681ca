/** The thread that maintains the search index: it parses JSON and compresses text here, off the agents' event loop. */
import { statSync } from "node:fs";
import { setImmediate as turn, setTimeout as wait } from "node:timers/promises";
import { threadId, workerData } from "node:worker_threads";
import { answerQuestions, tellProcess } from "#lib/answer-questions.ts";
import { openEntrySource } from "#lib/store/entries/entry-source.ts";
import { DamagedIndexError, removeIndexFile } from "./index-file.ts";
import { IndexTakenError, openSearchIndex } from "./index-writer.ts";
import { SearchIndexer } from "./indexer.ts";
import type { IndexingSettings } from "./indexing.ts";

const pollMs = 100;
/** How often to check whether the file is still the open one. */
const lookMs = 1000;
const retryMs = 3000;
// The thread's input is written by indexing.ts only.
const { storeFile, indexFile, engineId } = workerData as IndexingSettings;

const inodeOf = () => statSync(indexFile, { throwIfNoEntry: false })?.ino ?? null;

/** Indexes until it is stopped, or until the file was deleted or replaced; throws on errors. */
async function work(signal: AbortSignal): Promise<void> {
  const source = openEntrySource(storeFile);
  try {
    const index = openSearchIndex(indexFile);
    try {
      const indexer = new SearchIndexer({ source, index, owner: `${engineId}:${threadId}`, now: Date.now });
      const inode = inodeOf();
      let lookedAt = performance.now();
      while (!signal.aborted) {
        if (performance.now() - lookedAt > lookMs) {
          lookedAt = performance.now();
          if (inode === null || inodeOf() !== inode) return;
        }
        const isBehind = indexer.step();
        if (isBehind) await turn();
        else await pause(pollMs, signal);
      }
      indexer.finish();
    } finally {
      index.close();
    }
  } finally {
    source.close();
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, null, { signal }).catch(() => undefined);
}

// SQLite's codes for a damaged file and for one that is not a database.
function isDamaged(error: unknown): boolean {
  if (error instanceof DamagedIndexError) return true;
  const code = error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : 0;
  return code === 11 || code === 26;
}

answerQuestions(async (_: unknown, signal): Promise<void> => {
  while (!signal.aborted) {
    try {
      await work(signal);
    } catch (error) {
      if (!(error instanceof IndexTakenError)) {
        tellProcess(error instanceof Error ? (error.stack ?? error.message) : String(error));
        // Everything in it can be rebuilt.
        if (isDamaged(error)) removeIndexFile(indexFile);
      }
      await pause(retryMs, signal);
    }
  }
});
