import { setTimeout as wait } from "node:timers/promises";
import { askThread } from "#lib/worker-pool.ts";

/** What the thread needs. */
export type IndexingSettings = { storeFile: string; indexFile: string; engineId: string };

/** Receives failures. */
export type IndexingLogger = {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** Nearly everything the thread creates becomes garbage at once: with more room it would keep 100 MB for nothing. */
const resourceLimits = { maxYoungGenerationSizeMb: 12 };
const stopMs = 3000;
const restartMs = 5000;

/**
 * Maintains the search index in a thread for as long as the engine lives. None of its failures reaches the engine: unindexed
 * entries are searched anyway.
 */
export function startSearchIndexing(settings: IndexingSettings, logger: IndexingLogger): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const work = async () => {
    while (!signal.aborted) {
      const thread = {
        program: new URL("./index-thread.ts", import.meta.url),
        name: "The thread that keeps the search index",
        ...{ workerData: settings, resourceLimits, graceMs: stopMs },
        onNote: (reason: string) => logger.warn({ reason }, "the search index could not be written; trying again"),
      };
      await askThread(thread, "index until you are stopped", signal).catch((error) => {
        if (!signal.aborted) logger.error({ err: error }, "the thread that keeps the search index failed");
      });
      await wait(restartMs, null, { signal }).catch(() => undefined);
    }
  };
  const working = work();
  return {
    async stop() {
      stopping.abort();
      await working;
    },
  };
}
