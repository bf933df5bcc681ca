import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import type { Dialect } from "#lib/store/dialect.ts";
import { type Statement, type Values, valuesOf } from "#lib/store/statement.ts";
import { clearDamage, firstFinding, isDamageNoted, noteDamage } from "#lib/store/storage/damage-note.ts";
import { type HighWaterMark, readMark, refuseEmptied, refuseFallenBehind } from "#lib/store/storage/high-water.ts";
import { StoreError, type StoreTrouble } from "#lib/store/store-error.ts";
import { storeVersion } from "#lib/store/tables.ts";
import { Turns } from "#lib/turns.ts";
import { WorkerPool } from "#lib/worker-pool.ts";
import { createTables, promptIndex, tableNames } from "./create-tables.ts";
import { promptsWith } from "./prompts-with.ts";
import type { ReadQuestion } from "./read-thread.ts";
import { type OnTrouble, SqliteConnection } from "./sqlite-connection.ts";
import { kyselyOver } from "./sqlite-driver.ts";
import { isBusy, storeErrorOf } from "./sqlite-errors.ts";
import { makeStoreFile } from "./store-file.ts";
import { applicationId, refuseVersion } from "./store-version.ts";

/** How long another process may hold the write lock before a call fails. */
const busyMs = 5000;
const tryAgainMs = 5000;
/** Large reads of this process at the same time. */
const largeAtOnce = 2;
/** A file up to this size is checked at each start: a second of reading. */
const quickBytesMax = 128 * 1024 * 1024;

/**
 * Opens or creates the store's file (folder 0700, file 0600) with one writing and one reading connection. Several processes may
 * have it open, and may create it at the same time. Throws StoreError.
 */
export async function openSqlite(file: string, pagesMax: number | null = null): Promise<Dialect> {
  const mark = readMark(file);
  refuseEmptied(file, mark);
  await makeStoreFile(file);
  const seen = new Set<StoreTrouble>();
  const onTrouble = (trouble: StoreTrouble) => {
    if (trouble === "damaged" && !seen.has(trouble)) noteDamage(file, "a read failed");
    seen.add(trouble);
  };
  const writer = await openWriter(file, mark, onTrouble);
  if (pagesMax !== null) writer.exec(`pragma max_page_count = ${pagesMax}`);
  let reader: SqliteConnection;
  try {
    reader = new SqliteConnection(
      file,
      withContains(new DatabaseSync(file, { readOnly: true, timeout: busyMs })),
      onTrouble,
    );
  } catch (error) {
    writer.close();
    throw storeErrorOf(file, error);
  }
  const turns = new Turns(1);
  const large = new WorkerPool<ReadQuestion, unknown[]>({
    program: new URL("./read-thread.ts", import.meta.url),
    name: "The store",
    ...{ workerData: { file }, threadsMax: largeAtOnce, questionsMax: 1, idleMs: 30_000 },
  });
  let triedAt = Number.NEGATIVE_INFINITY;
  return {
    writer: kyselyOver(writer, turns),
    reader: kyselyOver(reader, null),
    runAll: async (statement, all) =>
      writer.runAll(
        statement.text,
        mapped(all, (given) => valuesOf(statement, given)),
      ),
    readAll: async <Given extends Values, Row>(statement: Statement<Given, Row>, given: Given) =>
      reader.all<Row>(statement.text, valuesOf(statement, given)),
    readLarge: async <Given extends Values, Row>(statement: Statement<Given, Row>, given: Given) => {
      const values = valuesOf(statement, given);
      try {
        return (await large.ask({ text: statement.text, values })) as Row[];
      } catch {
        // A store that cannot be read says why here.
        return reader.all<Row>(statement.text, values);
      }
    },
    // SQLite keeps the order of a sub-query for every aggregate it could matter to; ORDER BY inside the aggregate says the same
    // but sorts again, at four times the cost.
    joinedBodies: "cast(group_concat(body, ',') as blob)",
    bodyBytes: "cast(body as blob)",
    // group_concat joins bytes too; only the result's type has to be cast.
    joinedBytes: (column) => `cast(group_concat(${column}, '') as blob)`,
    appendedBytes: (table, column) => `cast(${table}.${column} || excluded.${column} as blob)`,
    promptsWith,
    contains: (text, part) => sql`errand_contains(${text}, ${part.toLowerCase()})`,
    // It counts the commits of every other connection, and the writer is another one.
    version: async () => reader.number("pragma data_version"),
    findTrouble: async (suspected) => {
      if (seen.has("damaged") || isDamageNoted(file)) return "damaged";
      // Anybody may ask, so a disk that had space is not tried again and again.
      if (!seen.has("full") && (!suspected || performance.now() - triedAt < tryAgainMs)) return null;
      await turns.take(async () => {
        try {
          writer.tryWrite();
          triedAt = performance.now();
          seen.delete("full");
        } catch (error) {
          if (!(error instanceof StoreError)) throw error;
        }
      });
      return [...seen][0] ?? null;
    },
    check: async () => checkOf(reader),
    checkAtStart: async () => checkAtStart(file, reader),
    giveBack: () => turns.take(async () => giveBack(writer)),
    close: () =>
      turns.take(async () => {
        await large.close();
        reader.close();
        writer.close();
      }),
  };
}

/** Pages returned to the disk at a time: 16 MB, during which nothing else is written. */
const pagesAtOnce = 2048;

/** Pages of the prompt index that are merged at a time, which drops what deleted prompts left behind. */
const mergedPages = 64;

function giveBack(writer: SqliteConnection): boolean {
  writer.exec(`insert into ${promptIndex} (${promptIndex}, rank) values ('merge', -${mergedPages})`);
  writer.exec(`pragma incremental_vacuum(${pagesAtOnce})`);
  if (writer.number("pragma freelist_count") > 0) return false;
  // The log still contains deleted data. Does not wait for readers.
  writer.exec("pragma busy_timeout = 50");
  try {
    return writer.number("pragma wal_checkpoint(truncate)") === 0;
  } finally {
    writer.exec(`pragma busy_timeout = ${busyMs}`);
  }
}

function* mapped<From, To>(all: Iterable<From>, to: (one: From) => To): Generator<To> {
  for (const one of all) yield to(one);
}

function checkAtStart(file: string, reader: SqliteConnection): void {
  const isSuspected = isDamageNoted(file);
  if (!isSuspected && statSync(file).size > quickBytesMax) return;
  const found = firstFinding(isSuspected ? checkOf(reader) : quickCheckOf(reader));
  if (found === null) {
    clearDamage(file);
    return;
  }
  noteDamage(file, found);
  throw new StoreError(`The store ${file} is damaged (${found}): restore a backup`, { trouble: "damaged" });
}

function quickCheckOf(reader: SqliteConnection): string[] {
  try {
    return reader.texts("pragma quick_check(1)").filter((line) => line !== "ok");
  } catch (error) {
    if (error instanceof StoreError && error.trouble === "damaged") return ["it cannot be read in full"];
    throw error;
  }
}

function checkOf(reader: SqliteConnection): string[] {
  try {
    const damage = reader.texts("pragma integrity_check").filter((line) => line !== "ok");
    if (damage.length > 0) return damage;
    return reader.texts(`
      select 'row ' || rowid || ' of ' || "table" || ' refers to a missing row of ' || parent
      from pragma_foreign_key_check`);
  } catch (error) {
    if (error instanceof StoreError) return [error.message];
    throw error;
  }
}

/** Another process creating the same file may lock it in ways SQLite does not wait for. */
async function openWriter(file: string, mark: HighWaterMark | null, onTrouble: OnTrouble): Promise<SqliteConnection> {
  const until = performance.now() + busyMs;
  for (;;) {
    try {
      return connectWriter(file, mark, onTrouble);
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw storeErrorOf(file, error);
      await wait(10);
    }
  }
}

function connectWriter(file: string, mark: HighWaterMark | null, onTrouble: OnTrouble): SqliteConnection {
  const database = withContains(new DatabaseSync(file, { timeout: busyMs, enableForeignKeyConstraints: true }));
  const connection = new SqliteConnection(file, database, onTrouble);
  try {
    refuseForeign(file, connection);
    refuseFallenBehind(file, mark, connection);
    // Both apply only to a new file.
    database.exec("pragma page_size = 8192; pragma auto_vacuum = incremental");
    // Deleted data is overwritten.
    database.exec("pragma secure_delete = on; pragma journal_mode = wal; pragma synchronous = full");
    // Without a limit the log keeps its maximum size forever.
    database.exec("pragma journal_size_limit = 67108864");
    // A large batch stays in memory until it is committed, and several are checkpointed at once: 16 and 32 MB.
    database.exec("pragma cache_size = -16384; pragma wal_autocheckpoint = 4096");
    if (!isComplete(connection)) completeStore(connection);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Adds `errand_contains(text, part in lower case)`: SQLite's own `lower` knows ASCII letters only, and is no faster. */
function withContains(database: DatabaseSync): DatabaseSync {
  database.function("errand_contains", { deterministic: true }, (text, part) =>
    text === null ? null : Number(String(text).toLowerCase().includes(String(part))),
  );
  return database;
}

/** Before any write: a file of another program or of another version of Errand is left untouched. */
function refuseForeign(file: string, connection: SqliteConnection): void {
  const isEmpty = connection.number("select count(*) from sqlite_schema") === 0;
  if (isEmpty) return;
  if (connection.number("pragma application_id") !== applicationId) {
    throw new StoreError(`${file} is a database of another program, not an Errand store`);
  }
  refuseVersion(file, connection.number("pragma user_version"));
}

/** Creates everything that the store lacks, in the open transaction. */
export function createSqliteStore(connection: SqliteConnection): void {
  connection.exec(createTables("sqlite"));
  connection.exec(`pragma user_version = ${storeVersion}; pragma application_id = ${applicationId}`);
}

/** False for a new file, and for a store of an Errand that had fewer tables or indexes. */
function isComplete(connection: SqliteConnection): boolean {
  const there = new Set(connection.texts("select name from sqlite_schema"));
  return tableNames.every((name) => there.has(name));
}

/** Creates what the store lacks, unless another process has done so in the meantime. */
function completeStore(connection: SqliteConnection): void {
  connection.exec("begin immediate");
  try {
    if (!isComplete(connection)) createSqliteStore(connection);
    connection.exec("commit");
  } finally {
    if (connection.isInTransaction) connection.exec("rollback");
  }
}
