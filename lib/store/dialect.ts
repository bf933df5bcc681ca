import type { Expression, Kysely, SqlBool } from "kysely";
import type { Schema } from "./schema.ts";
import type { Statement, Values } from "./statement.ts";
import type { StoreTrouble } from "./store-error.ts";

/**
 * Everything that differs between databases; another one is one file that provides this (and its SQL in create-tables.ts). Integers are returned as safe JavaScript numbers, blobs as Uint8Array; booleans, instants and JSON have
 * one form everywhere (tables/table.ts).
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
  /** As {@link readAll}, for large rows: nobody else waits while they are read. */
  readLarge<Given extends Values, Row>(statement: Statement<Given, Row>, given: Given): Promise<Row[]>;
  /** Runs a statement for each of these values, inside the open transaction, without the cost of a query each time. */
  runAll<Given extends Values>(statement: Statement<Given, never>, all: Iterable<Given>): Promise<void>;
  /** SQL: the `body` of a sub-query's rows joined by commas in its order, as UTF-8; null if there are no rows. */
  joinedBodies: string;
  /** SQL: the `body` of a row as UTF-8. */
  bodyBytes: string;
  /** SQL: a column of bytes or text of a sub-query's rows, concatenated in its order; null if there are no rows. */
  joinedBytes(column: string): string;
  /** SQL, in an upsert: the existing bytes of a column followed by the given ones. */
  appendedBytes(table: string, column: string): string;
  /** True if the text contains `part`, ignoring case (by JavaScript's toLowerCase); no character of `part` is special. */
  contains(text: Expression<string | null>, part: string): Expression<SqlBool>;
  /** Ids of the runs whose first prompt may {@link contains} the text; null if all have to be read for it. */
  promptsWith(part: string): Expression<number> | null;
  /**
   * A number that changes when another process or this one has committed since the last call (a hint for followers and the
   * engine: cheap enough to ask 50 times a second). It does not say what changed.
   */
  version(): Promise<number>;
  /**
   * The trouble that keeps the store from working, as far as this process has noticed; null if there is none. If the disk was full
   * at the last write, or is `suspected` to be full, tries to write 64 KiB; on suspicion at most every 5 s.
   */
  findTrouble(suspected: boolean): Promise<StoreTrouble | null>;
  /**
   * For the start of the service: a quick check of a store up to 128 MB, and a whole one if damage was found since the last.
   * Throws StoreError if it is damaged.
   */
  checkAtStart(): Promise<void>;
  /**
   * Returns some of the disk space of deleted rows, and overwrites their data in the write-ahead log; true if nothing is left to
   * do.
   */
  giveBack(): Promise<boolean>;
  /** Problems found by the database's own integrity check; empty if it is sound. Slow on large stores. */
  check(): Promise<string[]>;
  /** Waits for pending writes, then closes. */
  close(): Promise<void>;
};
