import type { Transaction } from "kysely";
import type { Dialect } from "#lib/store/dialect.ts";
import type { Schema } from "#lib/store/schema.ts";
import { runIn } from "#lib/store/statement.ts";

/**
 * The dialect with all reads and writes in the open transaction: a nested transaction becomes part of it, and reads see what
 * was written in it.
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
