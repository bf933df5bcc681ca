import { type Kysely, sql, type Transaction } from "kysely";
import type { ClaimedDelivery } from "./delivery-store.ts";
import { instantOf } from "./instant.ts";
import type { Schema } from "./schema.ts";
import { pendingState } from "./webhooks.ts";

/** How long an event waits for an earlier one of its run that cannot be delivered. */
const overtakenAfterMs = 10 * 60_000;

/**
 * The delivery that has been due longest and is not blocked. A lease blocks it, and so does an earlier pending delivery for the
 * same run and webhook until that has failed for 10 minutes. A resent delivery waits for no other, and no other for it.
 */
export function selectDue(database: Kysely<Schema>, busy: readonly string[], nowMs: number) {
  return database
    .selectFrom("webhook_deliveries as due")
    .innerJoin("webhooks", "webhooks.id", "due.webhook_id")
    .select(["due.id", "due.webhook_id", "due.run_id", "due.event_id", "due.failures", "due.first_attempt_at"])
    .where("due.state", "=", pendingState)
    .where("due.due_at", "<=", nowMs)
    .where((eb) => eb.or([eb("due.lease_expires_at", "is", null), eb("due.lease_expires_at", "<=", nowMs)]))
    .$if(busy.length > 0, (query) => query.where("webhooks.target", "not in", busy))
    .where((eb) =>
      eb.or([
        eb("due.resent_at", "is not", null),
        eb.not(
          eb.exists(
            eb
              .selectFrom("webhook_deliveries as earlier")
              .select(sql.lit(1).as("one"))
              .whereRef("earlier.webhook_id", "=", "due.webhook_id")
              .whereRef("earlier.run_id", "=", "due.run_id")
              .whereRef("earlier.id", "<", "due.id")
              .where("earlier.state", "=", pendingState)
              .where("earlier.resent_at", "is", null)
              .where(({ or, eb: of }) =>
                or([
                  of("earlier.first_attempt_at", "is", null),
                  of("earlier.first_attempt_at", ">", nowMs - overtakenAfterMs),
                  of("earlier.lease_expires_at", ">", nowMs),
                ]),
              ),
          ),
        ),
      ]),
    )
    .orderBy("due.due_at")
    .orderBy("due.id")
    .limit(1);
}

/** Claims the delivery that {@link selectDue} finds; null if there is none. */
export async function claimDue(
  trx: Transaction<Schema>,
  engineId: string,
  leaseMs: number,
  busy: readonly string[],
  nowMs: number,
): Promise<ClaimedDelivery | null> {
  const due = await selectDue(trx, busy, nowMs).executeTakeFirst();
  if (due === undefined) return null;
  const overtaken = await trx
    .selectFrom("webhook_deliveries")
    .select("id")
    .where("webhook_id", "=", due.webhook_id)
    .where("run_id", "=", due.run_id)
    .where("id", ">", due.id)
    .where("attempts", ">", 0)
    .limit(1)
    .executeTakeFirst();
  const late = overtaken !== undefined;
  const firstMs = due.first_attempt_at ?? nowMs;
  const { lease_epoch } = await trx
    .updateTable("webhook_deliveries")
    .set(({ eb }) => ({
      lease_engine: engineId,
      lease_expires_at: nowMs + leaseMs,
      lease_epoch: eb("lease_epoch", "+", 1),
      attempts: eb("attempts", "+", 1),
      attempted_at: nowMs,
      first_attempt_at: firstMs,
      late: late ? 1 : 0,
    }))
    .where("id", "=", due.id)
    .returning("lease_epoch")
    .executeTakeFirstOrThrow();
  const event = await trx
    .selectFrom("webhook_events")
    .selectAll()
    .where("id", "=", due.event_id)
    .executeTakeFirstOrThrow();
  const webhook = await trx
    .selectFrom("webhooks")
    .selectAll()
    .where("id", "=", due.webhook_id)
    .executeTakeFirstOrThrow();
  const previous = (webhook.previous_until ?? 0) > nowMs ? webhook.previous_secret : null;
  return {
    id: due.id,
    epoch: lease_epoch,
    organizationId: event.organization_id,
    messageId: event.message_id,
    type: event.type,
    createdAt: instantOf(event.created_at),
    // The store wrote it from a RunRow (webhook-events.ts); fields added later are absent.
    run: JSON.parse(event.run),
    late,
    firstAttemptAt: instantOf(firstMs),
    failures: due.failures,
    webhook: {
      key: webhook.key,
      url: webhook.url,
      target: webhook.target,
      secrets: [webhook.secret, previous].filter((secret) => secret !== null),
      revision: webhook.revision,
    },
  };
}
