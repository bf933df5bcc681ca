import { type CompiledQuery, type Kysely, sql, type Transaction } from "kysely";
import { withParameters } from "./compiled.ts";
import type { Schema } from "./schema.ts";

/** The number of all tools of a run that came after it had 65,534 others: names are not told apart without end. */
export const furtherTools = 65_535;

/** Gives the tools of a run their numbers, from 1, in the transaction that appends; a new name is given the next one. */
export function toolNumberer(database: Kysely<Schema>) {
  const known = database
    .selectFrom("run_tools")
    .select("code")
    .where("run_id", "=", 0)
    .where("name", "=", "")
    .compile();
  const highest = database
    .selectFrom("run_tools")
    .select(sql<number>`coalesce(max(code), ${sql.lit(0)})`.as("code"))
    .where("run_id", "=", 0)
    .compile();

  async function codeOf(trx: Transaction<Schema>, query: CompiledQuery<{ code: number }>, parameters: unknown[]) {
    const { rows } = await trx.executeQuery(withParameters(query, parameters));
    return rows[0]?.code;
  }

  return async (
    trx: Transaction<Schema>,
    runId: number,
    names: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, number>> => {
    const codes = new Map<string, number>();
    for (const name of names) {
      const found = await codeOf(trx, known, [runId, name]);
      const code = found ?? Math.min(((await codeOf(trx, highest, [runId])) ?? 0) + 1, furtherTools);
      if (found === undefined) {
        const row = { run_id: runId, code, name: code === furtherTools ? "" : name };
        await trx
          .insertInto("run_tools")
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
      codes.set(name, code);
    }
    return codes;
  };
}
