import type { Transaction } from "kysely";
import { sql } from "kysely";
import { idNamedIn } from "#lib/contract/stored-response.ts";
import type { Schema } from "./schema.ts";

/** Operations that accept an Idempotency-Key and return a run, or something that names one; the id is the first field. */
const answeringRuns = ["createRun", "resumeRun", "sendQueue", "updateRun", "analyzeLogs", "analyzeSandboxLogs"];

/**
 * Deletes the bodies of stored responses about these runs. Their idempotency keys stay used, with status 404, so that a repeated
 * request does not start a second run.
 */
export async function clearStoredResponses(trx: Transaction<Schema>, runIds: readonly number[]): Promise<void> {
  const begins = sql<string>`substr(body, 1, 40)`;
  const kept = await trx
    .selectFrom("idempotency_keys")
    .select(["caller", "operation", "key", begins.as("begins")])
    .where("operation", "in", answeringRuns)
    .execute();
  for (const { caller, operation, key, begins: text } of kept) {
    const id = idNamedIn(text);
    if (id === null || !runIds.includes(id)) continue;
    await trx
      .updateTable("idempotency_keys")
      .set({ status: 404, body: "" })
      .where("caller", "=", caller)
      .where("operation", "=", operation)
      .where("key", "=", key)
      .execute();
  }
}
