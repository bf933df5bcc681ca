import type { CompiledQuery } from "kysely";

/** A query that was built once, with other values: in the order in which it names them (constants are written with `sql.lit`). */
export function withParameters<Row>(query: CompiledQuery<Row>, parameters: unknown[]): CompiledQuery<Row> {
  return { ...query, parameters };
}
