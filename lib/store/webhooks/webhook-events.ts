import { randomUUID } from "node:crypto";
import type { Transaction } from "kysely";
import type { WebhookEvent } from "#lib/contract/integrations/webhook.ts";
import { isEnd, type RunStatus } from "#lib/contract/runs/run-status.ts";
import { readRun } from "#lib/store/runs/run-rows.ts";
import type { Schema } from "#lib/store/schema.ts";
import { active, Events } from "./webhooks.ts";

/**
 * Writes webhook events in the transaction that changes a run's status: the run as it is now, once, and one pending delivery
 * per webhook. The run's own webhooks replace the organization's. Writes nothing without a webhook.
 */
export async function noteWebhookEvent(
  trx: Transaction<Schema>,
  runId: number,
  { from, to }: { from: RunStatus; to: RunStatus },
  nowMs: number,
): Promise<void> {
  const type = eventOf(from, to);
  if (type === null) return;
  const webhooks = await trx
    .selectFrom("runs")
    .innerJoin("webhooks", "webhooks.organization_id", "runs.organization_id")
    .select(["webhooks.id", "webhooks.run_id", "webhooks.events", "webhooks.enabled", "webhooks.organization_id"])
    .where("runs.id", "=", runId)
    .where((eb) => eb.or([eb("webhooks.run_id", "is", null), eb("webhooks.run_id", "=", eb.ref("runs.id"))]))
    .where("webhooks.state", "=", active)
    .orderBy("webhooks.id")
    .execute();
  const own = webhooks.filter(({ run_id }) => run_id !== null);
  const listening = (own.length > 0 ? own : webhooks).filter(
    ({ enabled, events }) => enabled === 1 && Events.parse(JSON.parse(events)).includes(type),
  );
  const [first] = listening;
  if (first === undefined) return;
  const { organization_id } = first;
  const { id: event_id } = await trx
    .insertInto("webhook_events")
    .values({
      organization_id,
      run_id: runId,
      message_id: `msg_${randomUUID().replaceAll("-", "")}`,
      type,
      created_at: nowMs,
      run: JSON.stringify(await readRun(trx, runId)),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await trx
    .insertInto("webhook_deliveries")
    .values(
      listening.map(({ id }) => ({
        organization_id,
        webhook_id: id,
        event_id,
        run_id: runId,
        state: "pending" as const,
        created_at: nowMs,
        due_at: nowMs,
      })),
    )
    .execute();
}

/** A run starts when it leaves the queue; continuing after an answer is not an event. */
function eventOf(from: RunStatus, to: RunStatus): WebhookEvent | null {
  if (isEnd(to)) return "run.finished";
  if (to === "waiting") return "run.waiting";
  return from === "queued" && to === "running" ? "run.started" : null;
}
