import type { Transaction } from "kysely";
import type { Dialect } from "./dialect.ts";
import type { Schema } from "./schema.ts";
import { runIn, type Statement, type Values } from "./statement.ts";

/**
 * Claims the first row that `due` finds: `hold` marks it as the caller's, in the same transaction, so that no two callers hold one
 * row, and returns what was claimed. Null if nothing is due; finding that out costs a read, not the write lock. On a database
 * whose transactions run side by side, this is where `due` gets `for update skip locked`.
 */
export async function claimOne<Given extends Values, Row, Claimed>(
  { writer, readAll }: Pick<Dialect, "writer" | "readAll">,
  due: Statement<Given, Row>,
  given: Given,
  hold: (trx: Transaction<Schema>, row: Row) => Promise<Claimed>,
): Promise<Claimed | null> {
  if ((await readAll(due, given)).length === 0) return null;
  return writer.transaction().execute(async (trx) => {
    const [row] = await runIn(trx, due, given);
    return row === undefined ? null : hold(trx, row);
  });
}
