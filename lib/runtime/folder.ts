import { join } from "node:path";
import type { Config } from "#lib/config.ts";
import { takeLock } from "#lib/store/storage/folder-lock.ts";
import type { Store } from "#lib/store/store.ts";
import { StoreError } from "#lib/store/store-error.ts";

type InFolder = Pick<Config, "dataDir">;

/** How long a process of an earlier service may take to end; the engine's agents use 6 s of it. */
const earlierMs = 12_000;

/**
 * Makes this process the only service, web process or engine of the data folder, until it ends. Web and engine wait for earlier
 * ones whose supervisor was killed. Throws a one-line StoreError.
 */
export async function holdFolder(config: InFolder, as: "service" | "web" | "engine" | "backup"): Promise<void> {
  const lock = await takeLock(lockFile(config, as), as === "web" || as === "engine" ? earlierMs : 0);
  if (lock !== null) return;
  const names = {
    service: "Another Errand",
    web: "Another web process",
    engine: "Another engine",
    backup: "Another backup",
  };
  throw new StoreError(`${names[as]} is running in ${config.dataDir}: stop it, or choose another ERRAND_DATA_DIR`);
}

/**
 * Ends the runs of an engine that died, instead of waiting until its leases expire; returns their ids. None if an engine is at
 * work.
 */
export async function settleDeadEngine(config: InFolder, store: Store): Promise<number[]> {
  const release = await takeLock(lockFile(config, "engine"), 0);
  if (release === null) return [];
  try {
    return await store.queue.endLeases();
  } finally {
    release();
  }
}

const lockFile = ({ dataDir }: InFolder, as: string) => join(dataDir, `${as}.lock`);
