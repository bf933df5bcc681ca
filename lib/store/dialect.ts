import type { Expression, Kysely, SqlBool } from "kysely";
import type { Schema } from "./schema.ts";
import type { Statement, Values } from "./statement.ts";

/**
 * All that differs between databases; a further one is one file that gives this (and its own migrations to the tables of
 * {@link Schema}). Integers come out as safe JavaScript numbers, blobs as Uint8Array; booleans, instants and JSON have one
 * form everywhere (schema.ts).
 */
export type Dialect = {
  /**
   * For everything that writes. A transaction has the right to write from its first statement on, so what it reads stays
   * true until it ends; nothing else of this process runs inside of it.
   */
  writer: Kysely<Schema>;
  /** For what only reads: always the last committed state, one statement at a time, no transactions. */
  reader: Kysely<Schema>;
  /** Runs a statement on the reader, prepared once. */
  readAll<Given extends Values, Row>(statement: Statement<Given, Row>, given: Given): Promise<Row[]>;
  /** Runs a statement for each of these values, inside of the transaction that is open: without the cost of a query for each. */
  runAll<Given extends Values>(statement: Statement<Given, never>, all: Iterable<Given>): Promise<void>;
  /** SQL: the `body` of the rows of a sub-query joined by commas in its order, as UTF-8; null where there are no rows. */
  joinedBodies: string;
  /** SQL: a column of bytes or text of the rows of a sub-query, one after another in its order; null where there are no rows. */
  joinedBytes(column: string): string;
  /** SQL: the text whose UTF-8 the bytes of a value are. */
  utf8Text(value: string): string;
  /** SQL, in an upsert: the bytes of a column that are there, and after them those that are given. */
  appendedBytes(table: string, column: string): string;
  /** True where the text holds `part`, whatever the case of ASCII letters; no character of `part` is special. */
  contains(text: Expression<string | null>, part: string): Expression<SqlBool>;
  /** See Store.version. */
  version(): Promise<number>;
  /** See Store.check. */
  check(): Promise<string[]>;
  /** Waits for what is being written, then closes. */
  close(): Promise<void>;
};
