import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from "kysely";
import type { Dialect } from "./dialect.ts";
import { type MigratedDatabase, migrate, migrations } from "./migrations.ts";
import type { Schema } from "./schema.ts";
import { StoreError } from "./store-error.ts";
import { WriterLock } from "./writer-lock.ts";

/** How long another process may hold the right to write before a call fails. */
const busyMs = 5000;
/** Marks a file as a store of Errand: "Errd". */
const applicationId = 0x45727264;
const statementsMax = 300;

/**
 * Opens or makes the store's file (folder 0700, file 0600) with one connection that writes and one that reads. Several
 * processes may have it open, and may make it at the same moment. Throws StoreError.
 */
export async function openSqlite(file: string): Promise<Dialect> {
  await makeFile(file);
  const writer = await openWriter(file);
  let reader: SqliteConnection;
  try {
    reader = new SqliteConnection(file, new DatabaseSync(file, { readOnly: true, timeout: busyMs }));
  } catch (error) {
    writer.close();
    throw storeErrorOf(file, error);
  }
  const lock = new WriterLock();
  const readerDatabase = kyselyOver(new SqliteDriver(reader, null));
  return {
    writer: kyselyOver(new SqliteDriver(writer, lock)),
    reader: readerDatabase,
    readAll: async <Row>(query: CompiledQuery<Row>, parameters: readonly unknown[]) =>
      reader.all<Row>(query.sql, parameters),
    // SQLite keeps the order of a sub-query for every aggregate that it could matter to; ORDER BY inside of the aggregate
    // says the same and sorts once more, at four times the cost.
    joinedBodies: sql<Uint8Array | null>`cast(group_concat(body, ',') as blob)`,
    contains: (text, part) => sql`instr(lower(${text}), lower(${part})) > 0`,
    // It counts the commits of every other connection, and the one that writes is another one.
    version: async () => reader.number("pragma data_version"),
    check: async () => checkOf(reader),
    close: async () => {
      await lock.acquire();
      reader.close();
      writer.close();
      lock.release();
    },
  };
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

async function makeFile(file: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    // SQLite gives its side files the mode of this one.
    await (await open(file, "a", 0o600)).close();
  } catch (error) {
    throw new StoreError(`The store ${file} cannot be written: ${reasonOf(error)}`, { cause: error });
  }
}

/** Another process that makes the same file may hold it in ways that SQLite does not wait for. */
async function openWriter(file: string): Promise<SqliteConnection> {
  const until = performance.now() + busyMs;
  for (;;) {
    try {
      return connectWriter(file);
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw storeErrorOf(file, error);
      await wait(10);
    }
  }
}

function connectWriter(file: string): SqliteConnection {
  const database = new DatabaseSync(file, { timeout: busyMs, enableForeignKeyConstraints: true });
  const connection = new SqliteConnection(file, database);
  try {
    refuseForeign(file, connection);
    database.exec("pragma page_size = 8192; pragma journal_mode = wal; pragma synchronous = full");
    // Without a bound the log keeps its greatest size for ever.
    database.exec("pragma journal_size_limit = 67108864");
    migrate(migratedBy(database, connection));
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Before anything is written: a file of another program or of a newer Errand stays as it is. */
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
    version: () => connection.number("pragma user_version"),
    setVersion: (version) =>
      database.exec(`pragma user_version = ${version}; pragma application_id = ${applicationId}`),
  };
}

/** One connection with its prepared statements. */
class SqliteConnection implements DatabaseConnection {
  readonly #file: string;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, { statement: StatementSync; givesRows: boolean }>();

  constructor(file: string, database: DatabaseSync) {
    this.#file = file;
    this.#database = database;
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

  /** The rows as SQLite gives them: without a prototype, so every caller reads their fields into objects of its own. */
  all<Row>(text: string, parameters: readonly unknown[]): Row[] {
    const { statement } = this.#prepared(text);
    // The row's type is that of the statement, which Kysely derived from the schema.
    return this.#guard(() => statement.all(...bindable(parameters))) as Row[];
  }

  exec(text: string): void {
    this.#guard(() => this.#database.exec(text));
  }

  /** The first column of the first row. */
  number(text: string): number {
    return Number(this.#firsts(text)[0]);
  }

  /** The first column of every row. */
  texts(text: string): string[] {
    return this.#firsts(text).map(String);
  }

  get isInTransaction(): boolean {
    return this.#database.isTransaction;
  }

  close(): void {
    this.#statements.clear();
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
    const [oldest] = this.#statements.keys();
    if (oldest !== undefined && this.#statements.size >= statementsMax) this.#statements.delete(oldest);
    this.#statements.set(text, prepared);
    return prepared;
  }

  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw storeErrorOf(this.#file, error);
    }
  }
}

/** The schema's column types admit only what SQLite can bind. */
const bindable = (parameters: readonly unknown[]) => parameters as SQLInputValue[];

/** Kysely's way to a connection; with a lock, whoever has the connection has it alone until it is given back. */
class SqliteDriver implements Driver {
  readonly #connection: SqliteConnection;
  readonly #lock: WriterLock | null;

  constructor(connection: SqliteConnection, lock: WriterLock | null) {
    this.#connection = connection;
    this.#lock = lock;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    await this.#lock?.acquire();
    return this.#connection;
  }

  async beginTransaction(): Promise<void> {
    if (this.#lock === null) throw new Error("The connection that reads has no transactions");
    this.#connection.exec("begin immediate");
  }

  async commitTransaction(): Promise<void> {
    this.#connection.exec("commit");
  }

  /** Some errors (a full disk) have SQLite roll back by itself. */
  async rollbackTransaction(): Promise<void> {
    if (this.#connection.isInTransaction) this.#connection.exec("rollback");
  }

  async releaseConnection(): Promise<void> {
    this.#lock?.release();
  }

  async destroy(): Promise<void> {}
}

/** The driver's own lock is first come, first served, which Kysely's for single connections is not. */
class LockedBelowAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

function kyselyOver(driver: Driver): Kysely<Schema> {
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => new LockedBelowAdapter(),
      createDriver: () => driver,
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

// Result codes of https://sqlite.org/rescode.html
const busy = 5;
const outside: Record<number, string> = {
  [busy]: "is held by another process for longer than 5 s",
  8: "cannot be written: the file or its folder is read-only",
  10: "cannot be read or written: the disk reported an error",
  11: "is damaged: restore a backup",
  13: "cannot be written: the disk is full",
  14: "cannot be opened: the file or its folder is missing or not allowed",
  26: "is not a store of Errand: the file is no SQLite database",
};

function resultCodeOf(error: unknown): number | null {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return null;
  return error.errcode & 0xff;
}

const isBusy = (error: unknown) =>
  resultCodeOf(error) === busy || (error instanceof StoreError && resultCodeOf(error.cause) === busy);

/** What lies outside of the program as a StoreError; a defect (a broken constraint, a wrong statement) as it is. */
function storeErrorOf(file: string, error: unknown): unknown {
  const reason = outside[resultCodeOf(error) ?? -1];
  return reason === undefined ? error : new StoreError(`The store ${file} ${reason}`, { cause: error });
}

const reasons: Record<string, string> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOTDIR: "a part of its path is a file",
  EEXIST: "a part of its path is a file",
  EISDIR: "it is a folder",
  ENOSPC: "the disk is full",
};

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return reasons[code] ?? (error instanceof Error ? error.message : String(error));
}
