import { type Kysely, sql } from "kysely";
import { ApiError } from "#lib/contract/error.ts";
import type { Schema } from "#lib/store/schema.ts";

/** Seconds after which a client may try again; whether there is room by then depends on the runs. */
const retrySeconds = 30;

/**
 * Throws 429 `queue_full` if the organization already has `queueMax` queued runs; 0 = unlimited. Call it in the transaction
 * that queues a run.
 */
export async function requireQueueRoom(trx: Kysely<Schema>, organizationId: number, queueMax: number): Promise<void> {
  if (queueMax === 0) return;
  const last = await trx
    .selectFrom("runs")
    .select("id")
    .where("status", "=", sql.lit("queued"))
    .where("organization_id", "=", organizationId)
    .limit(1)
    .offset(queueMax - 1)
    .executeTakeFirst();
  if (last === undefined) return;
  const detail = `${queueMax} runs are already queued, which is the limit. Try again when some of them have started.`;
  throw new ApiError("queue_full", detail, { headers: { "retry-after": String(retrySeconds) } });
}
