import type { Transaction } from "kysely";
import { millisecondsOf } from "#lib/store/instant.ts";
import type { Schema } from "#lib/store/schema.ts";
import type { ClaimedDelivery, DeliveryReport } from "./delivery-store.ts";
import { noteDeletedEvents } from "./webhook-events.ts";
import { active, cancelPending } from "./webhooks.ts";

const sweptAtOnce = 500;

/** Stores the result of an attempt. Reports of claims that are no longer the last one change nothing. */
export async function keepReport(
  trx: Transaction<Schema>,
  claimed: Pick<ClaimedDelivery, "id" | "epoch" | "webhook">,
  report: DeliveryReport,
  nowMs: number,
): Promise<void> {
  const row = await trx
    .selectFrom("webhook_deliveries")
    .select(["state", "webhook_id", "error"])
    .where("id", "=", claimed.id)
    .where("lease_epoch", "=", claimed.epoch)
    .executeTakeFirst();
  if (row === undefined) return;
  const { status, answer } = report;
  const set = { status, answer, lease_engine: null, lease_expires_at: null };
  const update = (values: object) =>
    trx
      .updateTable("webhook_deliveries")
      .set(({ eb }) => ({ ...set, failures: eb("failures", "+", report.kind === "delivered" ? 0 : 1), ...values }))
      .where("id", "=", claimed.id)
      .execute();
  if (report.kind === "delivered") await update({ state: "delivered", error: null, ended_at: nowMs });
  // Ended while it was being sent: store the response, keep the end.
  else if (row.state !== "pending") await update({});
  // The address that is gone is not the webhook's any more.
  else if (report.kind === "gone" && (await isChanged(trx, row.webhook_id, claimed.webhook.revision)))
    await update({ error: null, due_at: nowMs });
  else if (report.kind === "gone") await update({ state: "failed", error: report.error, ended_at: nowMs });
  else if (report.retryAt === null) await update({ state: "failed", error: report.error, ended_at: nowMs });
  else await update({ error: report.error, due_at: millisecondsOf(report.retryAt) });
  if (report.kind === "gone") await turnOff(trx, row.webhook_id, claimed.webhook.revision, nowMs);
}

async function isChanged(trx: Transaction<Schema>, webhookId: number, revision: number): Promise<boolean> {
  const now = await trx.selectFrom("webhooks").select("revision").where("id", "=", webhookId).executeTakeFirst();
  return now !== undefined && now.revision !== revision;
}

async function turnOff(trx: Transaction<Schema>, webhookId: number, revision: number, nowMs: number): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable("webhooks")
    .set({ enabled: 0, disabled_reason: "gone", disabled_at: nowMs })
    .where("id", "=", webhookId)
    .where("revision", "=", revision)
    .where("enabled", "=", 1)
    .executeTakeFirst();
  if (numUpdatedRows === 1n)
    await cancelPending(trx, webhookId, "The target responded with 410 Gone, so no more events are sent to it.", nowMs);
}

/** Deletes deliveries that have ended and events, created before `beforeMs`, as DeliveryStore.sweep says. */
export async function sweepOld(trx: Transaction<Schema>, beforeMs: number, nowMs: number): Promise<number> {
  const old = await trx
    .selectFrom("webhook_deliveries")
    .select(["id", "webhook_id"])
    .where("created_at", "<", beforeMs)
    .where("state", "!=", "pending")
    .orderBy("created_at")
    .limit(sweptAtOnce)
    .execute();
  await trx
    .updateTable("webhooks")
    .set({ previous_secret: null, previous_until: null })
    .where("previous_until", "<=", nowMs)
    .execute();
  const ended = old.map(({ id }) => id);
  // `in ()` is not valid SQL in every database.
  if (ended.length > 0) await trx.deleteFrom("webhook_deliveries").where("id", "in", ended).execute();
  // The oldest come first, so no more have to be looked at.
  const first = trx
    .selectFrom("webhook_events")
    .select(["id", "created_at"])
    .orderBy("id")
    .limit(sweptAtOnce)
    .as("first");
  const events = await trx
    .selectFrom(first)
    .select("first.id")
    .where("first.created_at", "<", beforeMs)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom("webhook_deliveries").select("id").whereRef("webhook_deliveries.event_id", "=", "first.id")),
      ),
    )
    .execute();
  const ids = events.map(({ id }) => id);
  if (ids.length > 0) {
    await noteDeletedEvents(trx, (eb) => eb("id", "in", ids));
    await trx.deleteFrom("webhook_events").where("id", "in", ids).execute();
  }
  if (old.length === 0) return ids.length;
  await trx
    .deleteFrom("webhooks")
    .where("id", "in", [...new Set(old.map(({ webhook_id }) => webhook_id))])
    .where("state", "!=", active)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("webhook_deliveries").select("id").whereRef("webhook_deliveries.webhook_id", "=", "webhooks.id"),
        ),
      ),
    )
    .execute();
  return old.length;
}
