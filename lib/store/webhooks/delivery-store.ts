// The store's deliveries of events to webhooks.
import type { WebhookEvent } from "#lib/contract/integrations/webhook.ts";
import type { RunRow } from "#lib/store/runs/run-rows.ts";

/** A delivery an engine may send until its lease ends. */
export type ClaimedDelivery = {
  id: number;
  /** Counts the claims: reports of earlier claims change nothing. */
  epoch: number;
  organizationId: number;
  messageId: string;
  type: WebhookEvent;
  createdAt: string;
  /** The run at the time of the event, as written by a process of that time. */
  run: RunRow;
  late: boolean;
  /** When it was first tried (or tried again after a resend), and how often it has failed since. */
  firstAttemptAt: string;
  failures: number;
  webhook: {
    key: string;
    url: string;
    /** Host and port of the address. */
    target: string;
    /** Encrypted; the first is the current one. */
    secrets: string[];
    revision: number;
  };
};

/** Result of an attempt; `retryAt` null gives the delivery up. */
export type DeliveryReport = { status: number | null; answer: string | null; error: string | null } & (
  | { kind: "delivered" }
  | { kind: "gone" }
  | { kind: "failed"; retryAt: string | null }
);
