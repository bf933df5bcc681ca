import type { Expression, Kysely, SqlBool } from "kysely";
import type { Schema } from "./schema.ts";
import type { Statement, Values } from "./statement.ts";
import type { StoreTrouble } from "./store-error.ts";

/**
 * Everything that differs between databases; another one is one file that provides this (and its own migrations to the tables
 * of {@link Schema}). Integers are returned as safe JavaScript numbers, blobs as Uint8Array; booleans, instants and JSON have
 * one form everywhere (schema.ts).
 */
export type Dialect = {
  /**
   * For all writes. A transaction holds the write lock from its first statement, so what it reads stays true until it ends;
   * nothing else of this process runs inside it.
   */
  writer: Kysely<Schema>;
  /** For reads only: always the last committed state, one statement at a time, no transactions. */
  reader: Kysely<Schema>;
  /** Runs a statement on the reader, prepared once. */
  readAll<Given extends Values, Row>(statement: Statement<Given, Row>, given: Given): Promise<Row[]>;
  /** Runs a statement for each of these values, inside the open transaction, without the cost of a query each time. */
  runAll<Given extends Values>(statement: Statement<Given, never>, all: Iterable<Given>): Promise<void>;
  /** SQL: the `body` of a sub-query's rows joined by commas in its order, as UTF-8; null if there are no rows. */
  joinedBodies: string;
  /** SQL: a column of bytes or text of a sub-query's rows, concatenated in its order; null if there are no rows. */
  joinedBytes(column: string): string;
  /** SQL, in an upsert: the existing bytes of a column followed by the given ones. */
  appendedBytes(table: string, column: string): string;
  /** True if the text contains `part`, ignoring case (by JavaScript's toLowerCase); no character of `part` is special. */
  contains(text: Expression<string | null>, part: string): Expression<SqlBool>;
  /** See Store.version. */
  version(): Promise<number>;
  /** See Store.findTrouble. */
  findTrouble(suspected: boolean): Promise<StoreTrouble | null>;
  /** See Store.checkAtStart. */
  checkAtStart(): Promise<void>;
  /** See Store.giveBack. */
  giveBack(): Promise<boolean>;
  /** See Store.raiseMark. */
  raiseMark(): Promise<void>;
  /** See Store.check. */
  check(): Promise<string[]>;
  /** Waits for pending writes, then closes. */
  close(): Promise<void>;
};
