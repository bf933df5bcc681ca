import type { Kysely } from "kysely";
import type { DeliveryRow, DeliveryStore } from "./delivery-store.ts";
import type { Dialect } from "./dialect.ts";
import { instantOf, instantOrNull, millisecondsOf, type Now } from "./instant.ts";
import type { Schema } from "./schema.ts";
import { claimDue, selectDue } from "./webhook-claims.ts";
import { keepReport, sweepOld } from "./webhook-reports.ts";

/** Webhook deliveries. */
export function deliveryStore({ writer, reader }: Dialect, now: Now): DeliveryStore {
  return {
    async claim(engineId, leaseMs, busy) {
      // A search that finds nothing costs a read, not the write lock.
      if ((await selectDue(reader, busy, now()).executeTakeFirst()) === undefined) return null;
      return writer.transaction().execute((trx) => claimDue(trx, engineId, leaseMs, busy, now()));
    },

    async renew(engineId, deliveryIds, leaseMs) {
      if (deliveryIds.length === 0) return;
      await writer
        .updateTable("webhook_deliveries")
        .set({ lease_expires_at: now() + leaseMs })
        .where("id", "in", deliveryIds)
        .where("lease_engine", "=", engineId)
        .execute();
    },

    async release({ id, epoch }) {
      await writer
        .updateTable("webhook_deliveries")
        .set({ lease_engine: null, lease_expires_at: null })
        .where("id", "=", id)
        .where("lease_epoch", "=", epoch)
        .execute();
    },

    async report(claimed, report) {
      await writer.transaction().execute((trx) => keepReport(trx, claimed, report, now()));
    },

    async list({ organizationId }, { runId, state }, { skip, limit }) {
      const rows = await selectDeliveries(reader)
        .where("webhook_deliveries.organization_id", "=", organizationId)
        .$if(runId !== undefined, (query) => query.where("webhook_deliveries.run_id", "=", runId ?? 0))
        .$if(state !== undefined, (query) => query.where("webhook_deliveries.state", "=", state ?? "pending"))
        .orderBy("webhook_deliveries.id", "desc")
        .limit(limit)
        .offset(skip)
        .execute();
      const { total } = await reader
        .selectFrom("webhook_deliveries")
        .where("organization_id", "=", organizationId)
        .$if(runId !== undefined, (query) => query.where("run_id", "=", runId ?? 0))
        .$if(state !== undefined, (query) => query.where("state", "=", state ?? "pending"))
        .select(({ fn }) => fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      return { items: rows.map(deliveryRow), total };
    },

    resend({ organizationId }, deliveryId) {
      return writer.transaction().execute(async (trx) => {
        const row = await trx
          .selectFrom("webhook_deliveries")
          .innerJoin("webhooks", "webhooks.id", "webhook_deliveries.webhook_id")
          .select(["webhook_deliveries.state", "lease_expires_at", "webhooks.state as hook", "webhooks.enabled"])
          .where("webhook_deliveries.id", "=", deliveryId)
          .where("webhook_deliveries.organization_id", "=", organizationId)
          .executeTakeFirst();
        const nowMs = now();
        if (row === undefined) return { refused: "absent" };
        if (row.hook !== "active" || row.enabled === 0) return { refused: "off" };
        if (row.state === "pending" && (row.lease_expires_at ?? 0) > nowMs) return { refused: "sending" };
        await trx
          .updateTable("webhook_deliveries")
          .set({
            state: "pending",
            due_at: nowMs,
            resent_at: nowMs,
            ended_at: null,
            first_attempt_at: null,
            failures: 0,
          })
          .where("id", "=", deliveryId)
          .execute();
        const made = await selectDeliveries(trx)
          .where("webhook_deliveries.id", "=", deliveryId)
          .executeTakeFirstOrThrow();
        return { delivery: deliveryRow(made) };
      });
    },

    async sweep(before) {
      return writer.transaction().execute((trx) => sweepOld(trx, millisecondsOf(before), now()));
    },
  };
}

function selectDeliveries(database: Kysely<Schema>) {
  return database
    .selectFrom("webhook_deliveries")
    .innerJoin("webhook_events", "webhook_events.id", "webhook_deliveries.event_id")
    .innerJoin("webhooks", "webhooks.id", "webhook_deliveries.webhook_id")
    .select([
      "webhook_deliveries.id",
      "webhook_events.message_id",
      "webhook_events.type",
      "webhook_deliveries.run_id",
      "webhooks.url",
      "webhooks.run_id as of_run",
      "webhook_deliveries.state",
      "webhook_deliveries.late",
      "webhook_deliveries.attempts",
      "webhook_deliveries.created_at",
      "webhook_deliveries.attempted_at",
      "webhook_deliveries.due_at",
      "webhook_deliveries.status",
      "webhook_deliveries.answer",
      "webhook_deliveries.error",
    ]);
}

function deliveryRow(row: Awaited<ReturnType<ReturnType<typeof selectDeliveries>["execute"]>>[number]): DeliveryRow {
  return {
    id: row.id,
    messageId: row.message_id,
    type: row.type,
    runId: row.run_id,
    url: row.url,
    ofRun: row.of_run !== null,
    state: row.state,
    late: row.late === 1,
    attempts: row.attempts,
    createdAt: instantOf(row.created_at),
    attemptedAt: instantOrNull(row.attempted_at),
    dueAt: row.state === "pending" ? instantOf(row.due_at) : null,
    status: row.status,
    answer: row.answer,
    error: row.error,
  };
}
