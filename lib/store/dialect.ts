import type { CompiledQuery, Expression, Kysely, RawBuilder, SqlBool } from "kysely";
import type { Schema } from "./schema.ts";

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
  /**
   * Runs a query of the reader's that was compiled once: prepared once, without the cost of building it. The parameters stand
   * in the order in which the query names its values (constants are written with `sql.lit`).
   */
  readAll<Row>(query: CompiledQuery<Row>, parameters: readonly unknown[]): Promise<Row[]>;
  /**
   * Runs a statement that was compiled once for each of the rows of parameters, inside of the transaction that is open: without
   * the cost of a query for each.
   */
  runAll(query: CompiledQuery<unknown>, rows: Iterable<readonly unknown[]>): Promise<void>;
  /** The `body` of the rows of a sub-query joined by commas in its order, as UTF-8; null where there are no rows. */
  joinedBodies: RawBuilder<Uint8Array | null>;
  /** A column of bytes or text of the rows of a sub-query, one after another in its order; null where there are no rows. */
  joinedBytes(column: string): RawBuilder<Uint8Array | null>;
  /** The text whose UTF-8 the bytes are. */
  utf8Text(bytes: Uint8Array): RawBuilder<string>;
  /** In an upsert: the bytes that are there and after them those that are given. */
  appendedBytes(column: string): RawBuilder<Uint8Array>;
  /** True where the text holds `part`, whatever the case of ASCII letters; no character of `part` is special. */
  contains(text: Expression<string | null>, part: string): Expression<SqlBool>;
  /** See Store.version. */
  version(): Promise<number>;
  /** See Store.check. */
  check(): Promise<string[]>;
  /** Waits for what is being written, then closes. */
  close(): Promise<void>;
};
