import { Worker } from "node:worker_threads";

/** What the thread needs. */
export type IndexingSettings = { storeFile: string; indexFile: string; engineId: string };
export type IndexingMessage = { kind: "failed"; message: string };

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
  let stopping = false;
  let worker: Worker | null = null;
  let restart: NodeJS.Timeout | null = null;

  const start = () => {
    worker = new Worker(new URL("./index-thread.ts", import.meta.url), { workerData: settings, resourceLimits });
    worker.on("message", ({ kind, message }: IndexingMessage) => {
      // In Node's watch mode a thread also reports the files it has loaded.
      if (kind !== "failed") return;
      logger.warn({ reason: message }, "the search index could not be written; trying again");
    });
    worker.on("error", (error) => logger.error({ err: error }, "the thread that keeps the search index broke"));
    worker.on("exit", () => {
      worker = null;
      if (!stopping) restart = setTimeout(start, restartMs);
    });
  };
  start();

  return {
    async stop() {
      stopping = true;
      if (restart !== null) clearTimeout(restart);
      const ending = worker;
      if (ending === null) return;
      const ended = new Promise<void>((resolve) => ending.once("exit", () => resolve()));
      ending.postMessage("stop");
      const late = setTimeout(() => void ending.terminate(), stopMs);
      await ended;
      clearTimeout(late);
    },
  };
}
