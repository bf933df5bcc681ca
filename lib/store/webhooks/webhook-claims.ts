import type { Selectable } from "kysely";
import { parseExactJson } from "#lib/contract/exact-json.ts";
import { claimOne } from "#lib/store/claim-one.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { instantOf } from "#lib/store/instant.ts";
import type { RunRow } from "#lib/store/runs/run-rows.ts";
import type { Schema } from "#lib/store/schema.ts";
import { statement } from "#lib/store/statement.ts";
import type { ClaimedDelivery } from "./delivery-store.ts";

/** How long an event waits for an earlier one of its run that cannot be delivered. */
const overtakenAfterMs = 10 * 60_000;

type Due = Pick<
  Selectable<Schema["webhook_deliveries"]>,
  "id" | "webhook_id" | "run_id" | "event_id" | "first_attempt_at" | "failures"
>;

/**
 * The delivery that has been due longest and is not blocked. A lease blocks it, and so does an earlier pending delivery for the
 * same run and webhook until that has failed for 10 minutes. A resent delivery waits for no other, and no other for it.
 */
const dueDelivery = statement<{ now: number; overtaken: number; busy: string }, Due>(`
  select due.id, due.webhook_id, due.run_id, due.event_id, due.first_attempt_at, due.failures
  from webhook_deliveries as due join webhooks on webhooks.id = due.webhook_id
  where due.state = 'pending' and due.due_at <= :now and coalesce(due.lease_expires_at, 0) <= :now
  and webhooks.target not in (select value from json_each(:busy))
  and (due.resent_at is not null or not exists (
    select 1 from webhook_deliveries as earlier
    where earlier.webhook_id = due.webhook_id and earlier.run_id = due.run_id and earlier.id < due.id
    and earlier.state = 'pending' and earlier.resent_at is null and (
      earlier.first_attempt_at is null or earlier.first_attempt_at > :overtaken or earlier.lease_expires_at > :now
    )
  ))
  order by due.due_at, due.id limit 1`);

/** Claims it, unless its host is one of `busy`; null if there is none. */
export function claimDue(
  dialect: Dialect,
  engineId: string,
  leaseMs: number,
  busy: readonly string[],
  nowMs: number,
): Promise<ClaimedDelivery | null> {
  const given = { now: nowMs, overtaken: nowMs - overtakenAfterMs, busy: JSON.stringify(busy) };
  return claimOne(dialect, dueDelivery, given, async (trx, due) => {
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
      run: parseExactJson(event.run) as RunRow,
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
  });
}
