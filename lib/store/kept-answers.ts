import type { Transaction } from "kysely";
import { sql } from "kysely";
import type { Schema } from "./schema.ts";

/** Operations that accept an Idempotency-Key and return a run, or something that names one; the id is the first field. */
const answeringRuns = ["createRun", "resumeRun", "sendQueue", "updateRun", "analyzeLogs", "analyzeSandboxLogs"];

/**
 * Deletes the texts of kept responses about these runs. Their keys stay used, with the status 404: a request that is repeated
 * must not start a run a second time.
 */
export async function forgetAnswers(trx: Transaction<Schema>, runIds: readonly number[]): Promise<void> {
  const begins = sql<string>`substr(body, 1, 40)`;
  const kept = await trx
    .selectFrom("idempotency_keys")
    .select(["caller", "operation", "key", begins.as("begins")])
    .where("operation", "in", answeringRuns)
    .execute();
  for (const { caller, operation, key, begins: text } of kept) {
    const id = Number(/^\{"(?:agent_run_)?id":(\d+)[,}]/.exec(text)?.[1]);
    if (!runIds.includes(id)) continue;
    await trx
      .updateTable("idempotency_keys")
      .set({ status: 404, body: "" })
      .where("caller", "=", caller)
      .where("operation", "=", operation)
      .where("key", "=", key)
      .execute();
  }
}
