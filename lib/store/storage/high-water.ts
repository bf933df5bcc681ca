import { readFileSync, statSync } from "node:fs";
import { z } from "zod";
import { StoreError } from "#lib/store/store-error.ts";
import { markFile } from "./raise-mark.ts";

const HighWaterMark = z.object({ store: z.string(), count: z.int(), at: z.string() });

/**
 * How far a store has come: its own id and a count that only grows, noted in a file beside it. SQLite silently ignores a missing
 * or damaged log, and takes an empty file for a new store; the mark reveals both.
 */
export type HighWaterMark = z.infer<typeof HighWaterMark>;

/** The parts of a database connection needed here. */
type Connection = { all<Row>(text: string, parameters: readonly unknown[]): Row[] };

/** The mark of a store; null if there is none that can be read. Read it before the store, which is always ahead of it. */
export function readMark(file: string): HighWaterMark | null {
  try {
    return HighWaterMark.parse(JSON.parse(readFileSync(markFile(file), "utf8")));
  } catch {
    return null;
  }
}

/** Before a missing file is created: throws StoreError if it held a store. */
export function refuseEmptied(file: string, mark: HighWaterMark | null): void {
  if (mark === null) return;
  const found = statSync(file, { throwIfNoEntry: false });
  if (found !== undefined && found.size > 0) return;
  const state = found === undefined ? "is gone" : "is empty";
  throw new StoreError(
    `The store ${file} ${state}; it held data until ${mark.at}: restore a backup, or delete ${markFile(file)} to start over`,
  );
}

/** Before anything is written: throws StoreError if the store lacks what its mark says that it held. */
export function refuseFallenBehind(file: string, mark: HighWaterMark | null, database: Connection): void {
  if (mark === null) return;
  const count = countOf(mark.store, database);
  if (count >= mark.count) return;
  const cause =
    count === -1 ? "another store is in its place" : "its -wal file was lost, or an older copy is in its place";
  throw new StoreError(
    `The store ${file} is missing its latest writes; the last one was at ${mark.at} (${cause}). Restore the newest copy, or delete ${markFile(file)} to continue with what is there`,
  );
}

/** The count of the store with that id; -1 if this is another one. */
function countOf(store: string, database: Connection): number {
  const tables = database.all("select 1 from sqlite_schema where name = 'high_water'", []);
  const rows = tables.length === 0 ? [] : readRows(database);
  const [row] = rows;
  if (row === undefined) return 0;
  return row.store === store ? row.count : -1;
}

const readRows = (database: Connection) =>
  database.all<{ store: string; count: number }>("select store, count from high_water", []);
