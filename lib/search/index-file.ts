import { closeSync, openSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

/** Version of the index's tables and their meaning. An index of another version is rebuilt, never read. */
export const searchVersion = 7;

/** "Erix". */
const applicationId = 0x45726978;

const layout = `
create table blocks (
  id integer primary key autoincrement,
  run_id integer not null,
  first_seq integer not null,
  last_seq integer not null
) strict;
create index blocks_by_run on blocks (run_id, first_seq, last_seq);

create table texts (
  id integer primary key,
  text blob not null
) strict;

create table tails (
  run_id integer primary key,
  first_seq integer not null,
  last_seq integer not null,
  text blob not null
) strict;

create table progress (
  run_id integer primary key,
  indexed_seq integer not null,
  last_at integer not null
) strict;

create table lease (
  id integer primary key,
  owner text not null,
  expires_at integer not null
) strict;

create table vocabularies (
  id integer primary key,
  tokens blob not null
) strict;

create table token_places (
  id integer primary key,
  places blob not null
) strict;
`;

/** A row of the index cannot be unpacked. */
export class DamagedIndexError extends Error {
  constructor(cause: unknown) {
    super("The search index is damaged", { cause });
    this.name = "DamagedIndexError";
  }
}

/** Runs `unpack` on a stored row. Throws {@link DamagedIndexError} if it fails. */
export function fromRow<T>(unpack: () => T): T {
  try {
    return unpack();
  } catch (error) {
    throw new DamagedIndexError(error);
  }
}

/**
 * Opens the index for writing: creates it, also in place of one of another version. Throws SQLite's error for a file that cannot
 * be read. The index can be rebuilt from the store, so commits need not survive a power cut, but they are atomic.
 */
export function openIndexFile(file: string): DatabaseSync {
  const database = openOrCreate(file);
  if (versionOf(database) === searchVersion) return database;
  database.close();
  // Emptying it would take its size once more on the disk.
  removeIndexFile(file);
  return openOrCreate(file);
}

/** Removes the index, which nobody may have open for writing; its readers notice. */
export function removeIndexFile(file: string): void {
  for (const side of ["", "-wal", "-shm"]) rmSync(`${file}${side}`, { force: true });
}

function openOrCreate(file: string): DatabaseSync {
  // It contains the store's data, so nobody else may read it either; SQLite gives its side files the same mode.
  closeSync(openSync(file, "a", 0o600));
  const database = new DatabaseSync(file, { timeout: 5000 });
  try {
    // Removed data is overwritten. Only a new file takes the page layouts.
    database.exec("pragma secure_delete = on; pragma page_size = 16384; pragma auto_vacuum = incremental");
    database.exec("pragma journal_mode = wal; pragma synchronous = normal");
    database.exec("pragma journal_size_limit = 67108864");
    database.exec("begin immediate");
    if (versionOf(database) === 0) {
      database.exec(layout);
      database.exec(`pragma user_version = ${searchVersion}; pragma application_id = ${applicationId}`);
    }
    database.exec("commit");
  } catch (error) {
    if (database.isTransaction) database.exec("rollback");
    database.close();
    throw error;
  }
  return database;
}

/** Opens the index for reading; null if there is no readable one. */
export function openIndexToRead(file: string): DatabaseSync | null {
  let database: DatabaseSync;
  try {
    database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  } catch {
    return null;
  }
  try {
    if (versionOf(database) === searchVersion) return database;
  } catch {
    // An empty file, or not a database: there is no index, and everything is searched directly.
  }
  database.close();
  return null;
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare("pragma user_version").get()?.user_version ?? 0);
}
