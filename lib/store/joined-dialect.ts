import type { Transaction } from "kysely";
import type { Dialect } from "./dialect.ts";
import type { Schema } from "./schema.ts";
import { runIn } from "./statement.ts";

/**
 * The dialect with all that is written and read in the open transaction: what would be a transaction of its own becomes a part of
 * it, and what was written in it is read.
 */
export function joinedDialect(dialect: Dialect, trx: Transaction<Schema>): Dialect {
  const execute = <T>(work: (trx: Transaction<Schema>) => Promise<T>): Promise<T> => work(trx);
  return {
    ...dialect,
    writer: Object.assign(trx, { transaction: () => ({ execute }) }),
    reader: trx,
    readAll: (statement, given) => runIn(trx, statement, given),
  };
}
