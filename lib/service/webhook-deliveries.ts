import { ApiError, notFound } from "#lib/contract/error.ts";
import type { WebhookDelivery } from "#lib/contract/integrations/webhook.ts";
import type { ListDeliveriesQuery } from "#lib/contract/integrations/webhook-operations.ts";
import { pageOf, rowsOf } from "#lib/contract/page.ts";
import type { DeliveryFilter, DeliveryRow } from "#lib/store/webhooks/webhook-deliveries.ts";
import { recordAct } from "./audit.ts";
import type { OrganizationContext } from "./service-context.ts";

/** The organization's deliveries, newest first. */
export async function listDeliveries(context: OrganizationContext, { query }: { query: ListDeliveriesQuery }) {
  const rows = rowsOf(query);
  const filter: DeliveryFilter = {};
  if (query.agent_run_id !== undefined) filter.runId = query.agent_run_id;
  if (query.endpoint_id !== undefined) filter.webhookId = query.endpoint_id;
  if (query.state !== undefined) filter.state = query.state;
  const { items, total } = await context.store.deliveries.list(context.access, filter, rows);
  return pageOf(items.map(present), total, rows);
}

/**
 * Sends one again. 404 if it does not exist (any more), 409 while it is being sent or if its webhook is off or gone.
 */
export async function resendDelivery(
  context: OrganizationContext,
  { params }: { params: { delivery_id: number } },
): Promise<WebhookDelivery> {
  return await context.store.transaction(async (store) => {
    const done = await store.deliveries.resend(context.access, params.delivery_id);
    if ("refused" in done) throw refusal(done.refused);
    const { delivery } = done;
    await recordAct(store, context, {
      act: "webhook.resent",
      object: { type: "delivery", id: delivery.id, name: new URL(delivery.url).host },
      details: { event: delivery.type, agent_run_id: delivery.runId },
    });
    return present(delivery);
  });
}

function refusal(refused: "absent" | "sending" | "off"): ApiError {
  switch (refused) {
    case "absent":
      return notFound("Delivery");
    case "sending":
      return new ApiError("conflict", "This delivery is being sent right now.");
    case "off":
      return new ApiError("conflict", "The webhook of this delivery was deleted, replaced or turned off.");
  }
}

function present(row: DeliveryRow): WebhookDelivery {
  return {
    id: row.id,
    webhook_id: row.messageId,
    event: row.type,
    agent_run_id: row.runId,
    url: row.url,
    endpoint_id: row.ofRun ? null : row.webhookId,
    of_run: row.ofRun,
    state: row.state,
    late: row.late,
    attempts: row.attempts,
    created_at: row.createdAt,
    attempted_at: row.attemptedAt,
    next_attempt_at: row.dueAt,
    status: row.status,
    answer: row.answer,
    error: row.error,
  };
}
