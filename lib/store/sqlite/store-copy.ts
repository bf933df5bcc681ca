import { existsSync, statSync } from "node:fs";
import { backup, DatabaseSync } from "node:sqlite";
import { runIdEnd } from "#lib/store/entries/entry-id.ts";
import { firstFinding } from "#lib/store/storage/damage-note.ts";
import { StoreError } from "#lib/store/store-error.ts";
import { storeErrorOf } from "./sqlite-errors.ts";
import { applicationId, refuseVersion } from "./store-version.ts";

/** More pages than any store has: everything is copied in one step, which sees one state however much others write in the meantime. */
const everyPage = 2 ** 31 - 1;

/** Copies a store, even one in use, as it is at one instant; returns its version. Throws StoreError if there is none. */
export async function copyStore(file: string, to: string): Promise<number> {
  return await withDatabase(file, async (database) => {
    const version = versionOf(file, database);
    await backup(database, to, { rate: everyPage });
    return version;
  });
}

/** Throws StoreError if a file is not a complete store that this version can use or upgrade. */
export async function checkCopy(file: string): Promise<void> {
  await withDatabase(file, async (database) => {
    refuseVersion(file, versionOf(file, database), true);
    const rows = database.prepare("pragma quick_check(1)").all();
    const found = firstFinding(rows.map((row) => String(Object.values(row)[0])).filter((line) => line !== "ok"));
    if (found !== null) throw new StoreError(`The store ${file} is damaged (${found})`, { trouble: "damaged" });
    const there = database.prepare("select 1 from sqlite_schema where name in ('runs', 'repositories')").all();
    if (there.length < 2) throw new StoreError(`The store ${file} is not complete: it has no table of runs`);
  });
}

/** New rows of these tables of a store get ids above these. Nobody else may use the store. Throws StoreError. */
export async function numberAfter(file: string, ids: { runs: number; repositories: number }): Promise<void> {
  const work = (database: DatabaseSync) => {
    const raise = database.prepare("update sqlite_sequence set seq = max(seq, ?) where name = ?");
    const begin = database.prepare("insert into sqlite_sequence (name, seq) values (?, ?)");
    for (const [table, id] of Object.entries(ids)) {
      if (id + 1 >= runIdEnd) throw new StoreError(`The mirrors contain an id of ${table} that is too high: ${id}`);
      // A table that never had a row has no sequence.
      if (raise.run(id, table).changes === 0) begin.run(table, id);
    }
  };
  await withDatabase(file, work, false);
}

/**
 * Rewrites a database, so that it has no unused pages and no deleted data. Nobody else may use it. Returns its size before and after, in bytes; null if there is none. Throws StoreError.
 */
export async function compactDatabase(file: string): Promise<{ before: number; after: number } | null> {
  if (!existsSync(file)) return null;
  const before = statSync(file).size;
  await withDatabase(file, async (database) => database.exec("vacuum; pragma wal_checkpoint(truncate)"), false);
  return { before, after: statSync(file).size };
}

/** Version of a store. Throws StoreError if it is none. */
export function versionOf(file: string, database: DatabaseSync): number {
  if (Number(database.prepare("pragma application_id").get()?.application_id) !== applicationId) {
    throw new StoreError(`The store ${file} is not an Errand store`);
  }
  return Number(database.prepare("pragma user_version").get()?.user_version);
}

/** Does `work` on a database and closes it. Throws StoreError. */
export async function withDatabase<T>(
  file: string,
  work: (database: DatabaseSync) => Promise<T> | T,
  readOnly = true,
): Promise<T> {
  if (!existsSync(file)) throw new StoreError(`There is no store at ${file}`);
  try {
    const database = new DatabaseSync(file, { readOnly, timeout: 5000 });
    try {
      return await work(database);
    } finally {
      database.close();
    }
  } catch (error) {
    throw error instanceof StoreError ? error : storeErrorOf(file, error);
  }
}
