import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import { Lru } from "#lib/lru.ts";
import { StoreError, type StoreTrouble } from "#lib/store/store-error.ts";
import { storeErrorOf } from "./sqlite-errors.ts";

const statementsMax = 300;

/** Called with every error that keeps the store from working. */
export type OnTrouble = (trouble: StoreTrouble) => void;

/** A connection with its prepared statements. */
export class SqliteConnection implements DatabaseConnection {
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

  /** Rows as SQLite returns them have no prototype, so every caller copies their fields into new objects. */
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

  /** Writes 64 KiB to a table and drops the table again. Throws StoreError. */
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
