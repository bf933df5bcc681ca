import type { DeliveryState, WebhookEvent } from "#lib/contract/integrations/webhook.ts";
import { boolean, id, instant, integer, json, reference, table, text } from "./table.ts";

export const webhooks = {
  /** Targets of events. */
  webhooks: table({
    id: id(),
    organization_id: reference("organizations"),
    /** The run it belongs to; null is the organization's. */
    run_id: reference("runs", "cascade").orNull(),
    /** Of an organization's: whether it is the default webhook, which `webhooks/agent-run` reads and changes. */
    is_default: boolean().default(1),
    description: text().orNull(),
    url: text(),
    /** Host and port of the address. */
    target: text(),
    /** Random; identifies the webhook in the context under which its secrets are encrypted. */
    key: text(),
    /** Encrypted; null once it is deleted. */
    secret: text().orNull(),
    previous_secret: text().orNull(),
    previous_until: instant().orNull(),
    /** JSON array. */
    events: json(),
    enabled: boolean(),
    disabled_reason: text().orNull(),
    disabled_at: instant().orNull(),
    /** Counts the changes. */
    revision: integer().default(0),
    /** A replaced one gets no new events, and its pending ones are still delivered. */
    state: text<"active" | "replaced" | "deleted">(),
    created_at: instant(),
  })
    .uniqueIndex(
      "webhooks_of_organization",
      "(organization_id) where run_id is null and is_default = 1 and state = 'active'",
    )
    .index("webhooks_active", "(organization_id, run_id) where state = 'active'"),
  /** What happened to runs, written in the same transaction; kept for 30 days, and longer while a delivery refers to it. */
  webhook_events: table({
    id: id(),
    organization_id: reference("organizations"),
    run_id: reference("runs", "cascade"),
    /** The header webhook-id. */
    message_id: text(),
    type: text<WebhookEvent>(),
    created_at: instant(),
    /** JSON of the RunRow at that time. */
    run: json(),
  })
    .index("webhook_events_by_organization", "(organization_id, id)")
    .index("webhook_events_by_run", "(run_id)"),
  /** The newest of an organization's events that were deleted: who had not read that far may have missed some. */
  deleted_events: table({ organization_id: reference("organizations"), last_id: integer() }).key("organization_id"),
  /** Delivery of one event to one webhook. */
  webhook_deliveries: table({
    id: id(),
    organization_id: reference("organizations"),
    webhook_id: reference("webhooks"),
    event_id: reference("webhook_events"),
    run_id: reference("runs", "cascade"),
    state: text<DeliveryState>(),
    created_at: instant(),
    due_at: instant(),
    /** Sent again: it waits for no other. */
    resent_at: instant().orNull(),
    ended_at: instant().orNull(),
    attempts: integer().default(0),
    attempted_at: instant().orNull(),
    /** Since it was created or sent again: the first attempt, and how many have failed. */
    first_attempt_at: instant().orNull(),
    failures: integer().default(0),
    late: boolean().default(0),
    lease_engine: text().orNull(),
    lease_expires_at: instant().orNull(),
    /** Counts the claims: reports under an older epoch change nothing. */
    lease_epoch: integer().default(0),
    /** Status of the last response. */
    status: integer().orNull(),
    answer: text().orNull(),
    error: text().orNull(),
  })
    .index("webhook_deliveries_due", "(due_at, id) where state = 'pending'")
    .index("webhook_deliveries_in_order", "(webhook_id, run_id, id)")
    .index("webhook_deliveries_of_event", "(event_id)")
    .index("webhook_deliveries_by_organization", "(organization_id, id)")
    .index("webhook_deliveries_by_state", "(organization_id, state, id)")
    .index("webhook_deliveries_by_webhook", "(webhook_id, id)")
    .index("webhook_deliveries_by_run", "(run_id, id)")
    .index("webhook_deliveries_by_time", "(created_at)"),
};
