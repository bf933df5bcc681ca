import type { Transaction } from "kysely";
import type { Schema } from "#lib/store/schema.ts";
import { runIn, statement } from "#lib/store/statement.ts";

/** The number shared by all tools of a run after the first 65,534: the number of names is bounded. */
export const furtherTools = 65_535;

const known = statement<{ run: number; name: string }, { code: number }>(
  "select code from run_tools where run_id = :run and name = :name",
);
const highest = statement<{ run: number }, { code: number }>(
  "select coalesce(max(code), 0) as code from run_tools where run_id = :run",
);

/** Numbers the tools of a run from 1, in the transaction that appends; a new name gets the next number. */
export async function numberTools(
  trx: Transaction<Schema>,
  runId: number,
  names: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> {
  const codes = new Map<string, number>();
  for (const name of names) {
    const [found] = await runIn(trx, known, { run: runId, name });
    codes.set(name, found?.code ?? (await addTool(trx, runId, name)));
  }
  return codes;
}

async function addTool(trx: Transaction<Schema>, runId: number, name: string): Promise<number> {
  const [last] = await runIn(trx, highest, { run: runId });
  const code = Math.min((last?.code ?? 0) + 1, furtherTools);
  await trx
    .insertInto("run_tools")
    .values({ run_id: runId, code, name: code === furtherTools ? "" : name })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return code;
}
