import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { isBusy, storeErrorOf } from "#lib/store/sqlite/sqlite-errors.ts";
import { makeStoreFile } from "#lib/store/sqlite/store-file.ts";

const askAgainMs = 50;

/** A database that nothing refers to is closed by the garbage collector, which releases its lock. */
const held = new Set<DatabaseSync>();

/** Releases a lock; so does the end of the process, however it ends. */
export type FolderLock = () => void;

/**
 * Locks a file for this process; waits up to `waitMs` for another holder to end. Null if the file is still locked. The lock is
 * SQLite's on an empty database: the system releases it when the process ends, even if it is killed. Throws StoreError.
 */
export async function takeLock(file: string, waitMs: number): Promise<FolderLock | null> {
  await makeStoreFile(file, "lock");
  const until = performance.now() + waitMs;
  for (;;) {
    const database = new DatabaseSync(file, { timeout: 0 });
    try {
      database.exec("begin exclusive");
      held.add(database);
      return () => {
        held.delete(database);
        database.close();
      };
    } catch (error) {
      database.close();
      if (!isBusy(error)) throw storeErrorOf(file, error);
      if (performance.now() >= until) return null;
    }
    await wait(askAgainMs);
  }
}
