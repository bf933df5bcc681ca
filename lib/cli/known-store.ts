import { existsSync } from "node:fs";
import type { Config } from "#lib/config.ts";
import { openStoreForCommand } from "#lib/runtime/commands.ts";
import { StoreError } from "#lib/store/store-error.ts";

/** How long ago an engine may have said that it works, in milliseconds. */
export const engineSeenMs = 15_000;

/** What is said of a data folder that no service works on. */
export const idleFolder = (dataDir: string) =>
  `no service is at work on ${dataDir}; if one should be, set ERRAND_DATA_DIR to its data folder`;

/**
 * Opens the store of a service that there is. A command for a running service would otherwise make a new, empty store where
 * ERRAND_DATA_DIR is missing: it throws a StoreError instead, and says on standard error if no service works on the store.
 */
export async function openKnownStore(config: Config): Promise<Awaited<ReturnType<typeof openStoreForCommand>>> {
  if (!existsSync(config.storeFile)) {
    throw new StoreError(
      `there is no store in ${config.dataDir}: set ERRAND_DATA_DIR to the data folder of your service, or start one here (npm start)`,
    );
  }
  const opened = await openStoreForCommand(config);
  const engines = await opened.store.queue.countEngines(engineSeenMs);
  if (engines === 0) process.stderr.write(`errand: ${idleFolder(config.dataDir)}\n`);
  return opened;
}
