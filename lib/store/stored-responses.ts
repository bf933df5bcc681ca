import type { Transaction } from "kysely";
import { sql } from "kysely";
import { runsIn } from "#lib/contract/stored-response.ts";
import type { Schema } from "./schema.ts";

/**
 * Deletes the bodies of stored responses that name these runs. Their idempotency keys stay used, with status 404, so that a repeated
 * request does not start a second run.
 */
export async function clearStoredResponses(trx: Transaction<Schema>, runIds: readonly number[]): Promise<void> {
  const named = sql<string>`substr(body, 1, instr(body, ':') - 1)`;
  const kept = await trx
    .selectFrom("idempotency_keys")
    .select(["caller", "operation", "key", named.as("named")])
    .where(named, "<>", "")
    .execute();
  for (const { caller, operation, key, named: ids } of kept) {
    if (!runsIn(ids).some((id) => runIds.includes(id))) continue;
    await trx
      .updateTable("idempotency_keys")
      .set({ status: 404, body: "" })
      .where("caller", "=", caller)
      .where("operation", "=", operation)
      .where("key", "=", key)
      .execute();
  }
}
