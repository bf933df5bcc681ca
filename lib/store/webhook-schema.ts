import type { Generated } from "kysely";
import type { DeliveryState, WebhookEvent } from "#lib/contract/webhook.ts";

/** Targets of events. */
export type Webhooks = {
  id: Generated<number>;
  organization_id: number;
  /** The run it belongs to; null is the organization's. */
  run_id: number | null;
  url: string;
  /** Host and port of the address. */
  target: string;
  /** Random; identifies the webhook in the context under which its secrets are encrypted. */
  key: string;
  /** Encrypted; null once it is deleted. */
  secret: string | null;
  previous_secret: string | null;
  previous_until: number | null;
  /** JSON array. */
  events: string;
  enabled: number;
  disabled_reason: string | null;
  disabled_at: number | null;
  /** Counts the changes. */
  revision: Generated<number>;
  /** A replaced one gets no new events, and its pending ones are still delivered. */
  state: "active" | "replaced" | "deleted";
  created_at: number;
};

/** Events, written in the transaction in which they happened. */
export type WebhookEvents = {
  id: Generated<number>;
  organization_id: number;
  run_id: number;
  /** The header webhook-id. */
  message_id: string;
  type: WebhookEvent;
  created_at: number;
  /** JSON of the RunRow at that time. */
  run: string;
};

/** Delivery of one event to one webhook. */
export type WebhookDeliveries = {
  id: Generated<number>;
  organization_id: number;
  webhook_id: number;
  event_id: number;
  run_id: number;
  state: DeliveryState;
  created_at: number;
  due_at: number;
  /** Sent again: it waits for no other. */
  resent_at: number | null;
  ended_at: number | null;
  attempts: Generated<number>;
  attempted_at: number | null;
  /** Since it was created or sent again: the first attempt, and how many have failed. */
  first_attempt_at: number | null;
  failures: Generated<number>;
  late: Generated<number>;
  lease_engine: string | null;
  lease_expires_at: number | null;
  /** Counts the claims: reports under an older epoch change nothing. */
  lease_epoch: Generated<number>;
  /** Status of the last response. */
  status: number | null;
  answer: string | null;
  error: string | null;
};
