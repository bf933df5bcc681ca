import { existsSync } from "node:fs";
import type { Config } from "#lib/config.ts";
import { openStoreForCommand } from "#lib/runtime/commands.ts";
import { engineSeenMs } from "#lib/store/runs/queue-store.ts";
import { StoreError } from "#lib/store/store-error.ts";

/** Message about a data folder on which no Errand runs. */
export const idleFolder = (dataDir: string) =>
  `Errand is not running with the data folder ${dataDir}; if it runs with another one, set ERRAND_DATA_DIR to that folder`;

/**
 * Opens the store of an existing service. Without ERRAND_DATA_DIR, a command for a running service would otherwise create a new,
 * empty store: it throws a StoreError instead, and warns on standard error if no service works on the store.
 */
export async function openKnownStore(config: Config): Promise<Awaited<ReturnType<typeof openStoreForCommand>>> {
  if (!existsSync(config.storeFile)) {
    throw new StoreError(
      `there is no store in ${config.dataDir}: set ERRAND_DATA_DIR to Errand's data folder, or start Errand here (npm start)`,
    );
  }
  const opened = await openStoreForCommand(config);
  const engines = await opened.store.queue.countEngines(engineSeenMs);
  if (engines === 0) process.stderr.write(`errand: ${idleFolder(config.dataDir)}\n`);
  return opened;
}
