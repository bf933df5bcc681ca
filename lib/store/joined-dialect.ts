import type { CompiledQuery, Transaction } from "kysely";
import type { Dialect } from "./dialect.ts";
import type { Schema } from "./schema.ts";

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
    readAll: async <Row>(query: CompiledQuery<Row>, parameters: readonly unknown[]) =>
      (await trx.executeQuery<Row>({ ...query, parameters })).rows,
  };
}
