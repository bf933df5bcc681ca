import type { Kysely } from "kysely";
import type { DeliveryState } from "#lib/contract/integrations/webhook.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { instantOf, instantOrNull, millisecondsOf, type Now } from "#lib/store/instant.ts";
import type { Access } from "#lib/store/runs/access.ts";
import type { Schema } from "#lib/store/schema.ts";
import type { Listed, Window } from "#lib/store/window.ts";
import type { ClaimedDelivery, DeliveryReport } from "./delivery-store.ts";
import { claimDue } from "./webhook-claims.ts";
import { keepReport, sweepOld } from "./webhook-reports.ts";

/** Delivery of one event to one webhook. */
export type DeliveryRow = ReturnType<typeof deliveryRow>;

export type DeliveryFilter = { runId?: number; state?: DeliveryState; webhookId?: number };

/** Webhook deliveries. */
export function deliveryStore(dialect: Dialect, now: Now) {
  const { writer, reader } = dialect;
  return {
    /**
     * Claims the delivery that has been due longest, under a lease; null if none is due. An event waits while an earlier one of
     * the same run and webhook is pending, unless that has failed for 10 minutes. Skips deliveries to the hosts in `busy`.
     */
    claim: (engineId: string, leaseMs: number, busy: readonly string[]): Promise<ClaimedDelivery | null> =>
      claimDue(dialect, engineId, leaseMs, busy, now()),

    /** Extends the leases of those of these deliveries that belong to the engine. */
    async renew(engineId: string, deliveryIds: readonly number[], leaseMs: number): Promise<void> {
      if (deliveryIds.length === 0) return;
      await writer
        .updateTable("webhook_deliveries")
        .set({ lease_expires_at: now() + leaseMs })
        .where("id", "in", deliveryIds)
        .where("lease_engine", "=", engineId)
        .execute();
    },

    /** Releases an unsent delivery: it is due again at once. */
    async release({ id, epoch }: Pick<ClaimedDelivery, "id" | "epoch">): Promise<void> {
      await writer
        .updateTable("webhook_deliveries")
        .set({ lease_engine: null, lease_expires_at: null })
        .where("id", "=", id)
        .where("lease_epoch", "=", epoch)
        .execute();
    },

    /**
     * Stores the result of an attempt. `gone` turns the webhook off, unless it was changed since, and cancels its other pending
     * deliveries.
     */
    async report(claimed: Pick<ClaimedDelivery, "id" | "epoch" | "webhook">, report: DeliveryReport): Promise<void> {
      await writer.transaction().execute((trx) => keepReport(trx, claimed, report, now()));
    },

    /** Newest first. */
    async list(
      { organizationId }: Access,
      { runId, state, webhookId }: DeliveryFilter,
      { skip, limit }: Window,
    ): Promise<Listed<DeliveryRow>> {
      const rows = await selectDeliveries(reader)
        .where("webhook_deliveries.organization_id", "=", organizationId)
        .$if(runId !== undefined, (query) => query.where("webhook_deliveries.run_id", "=", runId ?? 0))
        .$if(state !== undefined, (query) => query.where("webhook_deliveries.state", "=", state ?? "pending"))
        .$if(webhookId !== undefined, (query) => query.where("webhook_deliveries.webhook_id", "=", webhookId ?? 0))
        .orderBy("webhook_deliveries.id", "desc")
        .limit(limit)
        .offset(skip)
        .execute();
      const { total } = await reader
        .selectFrom("webhook_deliveries")
        .where("organization_id", "=", organizationId)
        .$if(runId !== undefined, (query) => query.where("run_id", "=", runId ?? 0))
        .$if(state !== undefined, (query) => query.where("state", "=", state ?? "pending"))
        .$if(webhookId !== undefined, (query) => query.where("webhook_id", "=", webhookId ?? 0))
        .select(({ fn }) => fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      return { items: rows.map(deliveryRow), total };
    },

    /** Makes it due at once, whatever its state; refused while it is being sent or if its webhook is off or gone. */
    resend(
      { organizationId }: Access,
      deliveryId: number,
    ): Promise<{ delivery: DeliveryRow } | { refused: "absent" | "sending" | "off" }> {
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

    /**
     * Deletes at most 500 deliveries that have ended and were created before `before`, then events created
     * before it and without deliveries, of the oldest 500, and what is no longer needed. Returns the number of deliveries, or of
     * events if there were none; 0 when nothing is left to delete.
     */
    async sweep(before: string): Promise<number> {
      return writer.transaction().execute((trx) => sweepOld(trx, millisecondsOf(before), now()));
    },
  };
}

export type DeliveryStore = ReturnType<typeof deliveryStore>;

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
      "webhook_deliveries.webhook_id",
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

function deliveryRow(row: Awaited<ReturnType<ReturnType<typeof selectDeliveries>["execute"]>>[number]) {
  return {
    id: row.id,
    messageId: row.message_id,
    type: row.type,
    runId: row.run_id,
    url: row.url,
    ofRun: row.of_run !== null,
    webhookId: row.webhook_id,
    state: row.state,
    late: row.late === 1,
    attempts: row.attempts,
    createdAt: instantOf(row.created_at),
    attemptedAt: instantOrNull(row.attempted_at),
    /** Null once it has ended. */
    dueAt: row.state === "pending" ? instantOf(row.due_at) : null,
    status: row.status,
    answer: row.answer,
    error: row.error,
  };
}
