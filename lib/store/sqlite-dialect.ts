import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { type CompiledQuery, type DatabaseConnection, type QueryResult, sql } from "kysely";
import { Lru } from "#lib/lru.ts";
import type { Dialect } from "./dialect.ts";
import { type MigratedDatabase, migrate } from "./migrate.ts";
import { migrations } from "./migrations.ts";
import { kyselyOver } from "./sqlite-driver.ts";
import { isBusy, storeErrorOf } from "./sqlite-errors.ts";
import { type Statement, type Values, valuesOf } from "./statement.ts";
import { StoreError, type StoreTrouble } from "./store-error.ts";
import { makeStoreFile } from "./store-file.ts";
import { WriterLock } from "./writer-lock.ts";

/** How long another process may hold the write lock before a call fails. */
const busyMs = 5000;
/** Marks a file as a store of Errand: "Errd". */
const applicationId = 0x45727264;
const statementsMax = 300;

/**
 * Opens or creates the store's file (folder 0700, file 0600) with one writing and one reading connection. Several processes may
 * have it open, and may create it at the same time. Throws StoreError.
 */
export async function openSqlite(file: string, pagesMax: number | null = null): Promise<Dialect> {
  await makeStoreFile(file);
  const seen = new Set<StoreTrouble>();
  const onTrouble = (trouble: StoreTrouble) => void seen.add(trouble);
  const writer = await openWriter(file, onTrouble);
  if (pagesMax !== null) writer.exec(`pragma max_page_count = ${pagesMax}`);
  let reader: SqliteConnection;
  try {
    reader = new SqliteConnection(file, new DatabaseSync(file, { readOnly: true, timeout: busyMs }), onTrouble);
  } catch (error) {
    writer.close();
    throw storeErrorOf(file, error);
  }
  const lock = new WriterLock();
  return {
    writer: kyselyOver(writer, lock),
    reader: kyselyOver(reader, null),
    runAll: async (statement, all) =>
      writer.runAll(
        statement.text,
        mapped(all, (given) => valuesOf(statement, given)),
      ),
    readAll: async <Given extends Values, Row>(statement: Statement<Given, Row>, given: Given) =>
      reader.all<Row>(statement.text, valuesOf(statement, given)),
    // SQLite keeps the order of a sub-query for every aggregate it could matter to; ORDER BY inside the aggregate says the same
    // but sorts again, at four times the cost.
    joinedBodies: "cast(group_concat(body, ',') as blob)",
    // group_concat joins bytes too; only the result's type has to be cast.
    joinedBytes: (column) => `cast(group_concat(${column}, '') as blob)`,
    utf8Text: (value) => `cast(${value} as text)`,
    appendedBytes: (table, column) => `cast(${table}.${column} || excluded.${column} as blob)`,
    contains: (text, part) => sql`instr(lower(${text}), lower(${part})) > 0`,
    // It counts the commits of every other connection, and the writer is another one.
    version: async () => reader.number("pragma data_version"),
    findTrouble: async (suspected) => {
      if (seen.has("damaged")) return "damaged";
      if (!suspected && !seen.has("full")) return null;
      await lock.acquire();
      try {
        writer.tryWrite();
        seen.delete("full");
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
      } finally {
        lock.release();
      }
      return [...seen][0] ?? null;
    },
    check: async () => checkOf(reader),
    close: async () => {
      await lock.acquire();
      reader.close();
      writer.close();
      lock.release();
    },
  };
}

function* mapped<From, To>(all: Iterable<From>, to: (one: From) => To): Generator<To> {
  for (const one of all) yield to(one);
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
async function openWriter(file: string, onTrouble: OnTrouble): Promise<SqliteConnection> {
  const until = performance.now() + busyMs;
  for (;;) {
    try {
      return connectWriter(file, onTrouble);
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw storeErrorOf(file, error);
      await wait(10);
    }
  }
}

function connectWriter(file: string, onTrouble: OnTrouble): SqliteConnection {
  const database = new DatabaseSync(file, { timeout: busyMs, enableForeignKeyConstraints: true });
  const connection = new SqliteConnection(file, database, onTrouble);
  try {
    refuseForeign(file, connection);
    database.exec("pragma page_size = 8192; pragma journal_mode = wal; pragma synchronous = full");
    // Without a limit the log keeps its maximum size for ever.
    database.exec("pragma journal_size_limit = 67108864");
    // A large batch stays in memory until it is committed, and several are checkpointed at once: 16 and 32 MB.
    database.exec("pragma cache_size = -16384; pragma wal_autocheckpoint = 4096");
    migrate(migratedBy(database, connection));
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Before any write: a file of another program or of a newer Errand is left untouched. */
function refuseForeign(file: string, connection: SqliteConnection): void {
  const isEmpty = connection.number("select count(*) from sqlite_schema") === 0;
  if (!isEmpty && connection.number("pragma application_id") !== applicationId) {
    throw new StoreError(`${file} is a database of another program, not a store of Errand`);
  }
  const version = connection.number("pragma user_version");
  if (version > migrations.length) {
    throw new StoreError(
      `This store has version ${version}, this Errand knows up to ${migrations.length}: start the newer Errand, or another data folder (${file})`,
    );
  }
}

function migratedBy(database: DatabaseSync, connection: SqliteConnection): MigratedDatabase {
  return {
    exec: (text) => database.exec(text),
    run: (text, parameters) => connection.run(text, parameters),
    each: (text) => database.prepare(text).iterate(),
    rollback: () => {
      if (database.isTransaction) database.exec("rollback");
    },
    version: () => connection.number("pragma user_version"),
    setVersion: (version) =>
      database.exec(`pragma user_version = ${version}; pragma application_id = ${applicationId}`),
  };
}

type OnTrouble = (trouble: StoreTrouble) => void;

/** A connection with its prepared statements. */
class SqliteConnection implements DatabaseConnection {
  readonly #file: string;
  readonly #database: DatabaseSync;
  readonly #onTrouble: OnTrouble;
  readonly #statements = new Lru<string, { statement: StatementSync; givesRows: boolean }>({ count: statementsMax });

  constructor(file: string, database: DatabaseSync, onTrouble: OnTrouble) {
    this.#file = file;
    this.#database = database;
    this.#onTrouble = onTrouble;
  }

  async executeQuery<Row>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { statement, givesRows } = this.#prepared(text);
    if (givesRows) return { rows: this.all<Row>(text, parameters) };
    const done = this.#guard(() => statement.run(...bindable(parameters)));
    return { rows: [], numAffectedRows: BigInt(done.changes), insertId: BigInt(done.lastInsertRowid) };
  }

  async *streamQuery<Row>({ sql: text, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield { rows: this.all<Row>(text, parameters) };
  }

  /** Rows as SQLite returns them have no prototype, so every caller copies their fields into objects of its own. */
  all<Row>(text: string, parameters: readonly unknown[]): Row[] {
    const { statement } = this.#prepared(text);
    // The row's type is the statement's, which Kysely derived from the schema.
    return this.#guard(() => statement.all(...bindable(parameters))) as Row[];
  }

  run(text: string, parameters: readonly unknown[]): void {
    this.runAll(text, [parameters]);
  }

  runAll(text: string, rows: Iterable<readonly unknown[]>): void {
    const { statement } = this.#prepared(text);
    this.#guard(() => {
      for (const parameters of rows) statement.run(...bindable(parameters));
    });
  }

  exec(text: string): void {
    this.#guard(() => this.#database.exec(text));
  }

  /** Writes a new page, and takes it back. Throws StoreError. */
  tryWrite(): void {
    this.exec("begin immediate");
    try {
      this.exec("create table tried (bytes blob) strict; insert into tried values (zeroblob(65536)); drop table tried");
      this.exec("commit");
    } finally {
      if (this.isInTransaction) this.exec("rollback");
    }
  }

  /** First column of the first row. */
  number(text: string): number {
    return Number(this.#firsts(text)[0]);
  }

  /** First column of every row. */
  texts(text: string): string[] {
    return this.#firsts(text).map(String);
  }

  get isInTransaction(): boolean {
    return this.#database.isTransaction;
  }

  close(): void {
    this.#database.close();
  }

  #firsts(text: string): unknown[] {
    return this.all<Record<string, unknown>>(text, []).map((row) => Object.values(row)[0]);
  }

  #prepared(text: string): { statement: StatementSync; givesRows: boolean } {
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    const statement = this.#guard(() => this.#database.prepare(text));
    const prepared = { statement, givesRows: statement.columns().length > 0 };
    this.#statements.set(text, prepared);
    return prepared;
  }

  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      const known = storeErrorOf(this.#file, error);
      if (known instanceof StoreError && known.trouble !== null) this.#onTrouble(known.trouble);
      throw known;
    }
  }
}

/** The schema's column types allow only values SQLite can bind. */
const bindable = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
