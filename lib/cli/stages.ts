import { existsSync, rmSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "#lib/config.ts";
import { StoreError } from "#lib/store/store-error.ts";

/**
 * Removes the folders in which killed backups or restores prepared their work: each contains a whole copy of the store, possibly
 * with the key. The caller holds the lock under which new ones are created (`backup` or `service`).
 */
export async function sweepStages(dataDir: string, of: "backup" | "restore"): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith(`.${of}-`)) await rm(join(dataDir, name), { recursive: true, force: true });
  }
}

/**
 * A restore that was killed has not put the store in place: a service would begin with an empty one. Throws a one-line StoreError
 * that says so. The caller holds the lock `service`.
 */
export async function refuseKilledRestore({ dataDir, storeFile }: Config): Promise<void> {
  if (existsSync(storeFile)) return;
  const stage = (await readdir(dataDir)).find((name) => name.startsWith(".restore-"));
  if (stage === undefined) return;
  throw new StoreError(
    `A restore into ${dataDir} was cut off: run it again, or delete ${join(dataDir, stage)} to start without it`,
  );
}

/** Removes these paths when the process is asked to stop (Ctrl+C), until the returned function is called. */
export function clearWhenStopped(paths: readonly string[]): () => void {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const clear = () => {
    for (const path of paths) rmSync(path, { recursive: true, force: true, maxRetries: 3 });
    process.exit(130);
  };
  for (const signal of signals) process.once(signal, clear);
  return () => {
    for (const signal of signals) process.off(signal, clear);
  };
}
