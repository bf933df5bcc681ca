import { existsSync } from "node:fs";
import type { Config } from "#lib/config.ts";
import { openStoreForCommand } from "#lib/runtime/commands.ts";
import { engineSeenMs } from "#lib/store/queue-store.ts";
import { StoreError } from "#lib/store/store-error.ts";

/** Message about a data folder that no service works on. */
export const idleFolder = (dataDir: string) =>
  `no service is running on ${dataDir}; if one should be, set ERRAND_DATA_DIR to its data folder`;

/**
 * Opens the store of an existing service. Without ERRAND_DATA_DIR, a command for a running service would otherwise create a new,
 * empty store: it throws a StoreError instead, and warns on standard error if no service works on the store.
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
