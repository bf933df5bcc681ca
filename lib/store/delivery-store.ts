// The store's deliveries of events to webhooks.
import type { DeliveryState, WebhookEvent } from "#lib/contract/webhook.ts";
import type { Access } from "./access.ts";
import type { RunRow } from "./run-store.ts";
import type { Listed, Window } from "./window.ts";

/** Delivery of one event to one webhook. */
export type DeliveryRow = {
  id: number;
  messageId: string;
  type: WebhookEvent;
  runId: number;
  url: string;
  ofRun: boolean;
  state: DeliveryState;
  late: boolean;
  attempts: number;
  createdAt: string;
  attemptedAt: string | null;
  /** Null once it has ended. */
  dueAt: string | null;
  status: number | null;
  answer: string | null;
  error: string | null;
};

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

export type DeliveryFilter = { runId?: number; state?: DeliveryState };

export type DeliveryStore = {
  /**
   * Claims the delivery that has been due longest, under a lease; null if none is due. An event waits while an earlier one of
   * the same run and webhook is pending, unless that has failed for 10 minutes. Skips deliveries to the hosts in `busy`.
   */
  claim(engineId: string, leaseMs: number, busy: readonly string[]): Promise<ClaimedDelivery | null>;
  /** Extends the leases of those of these deliveries that belong to the engine. */
  renew(engineId: string, deliveryIds: readonly number[], leaseMs: number): Promise<void>;
  /** Releases an unsent delivery: it is due again at once. */
  release(claimed: Pick<ClaimedDelivery, "id" | "epoch">): Promise<void>;
  /**
   * Stores the result of an attempt. `gone` turns the webhook off, unless it was changed since, and cancels its other pending
   * deliveries.
   */
  report(claimed: Pick<ClaimedDelivery, "id" | "epoch" | "webhook">, report: DeliveryReport): Promise<void>;
  /** Newest first. */
  list(access: Access, filter: DeliveryFilter, window: Window): Promise<Listed<DeliveryRow>>;
  /** Makes it due at once, whatever its state; refused while it is being sent or if its webhook is off or gone. */
  resend(
    access: Access,
    deliveryId: number,
  ): Promise<{ delivery: DeliveryRow } | { refused: "absent" | "sending" | "off" }>;
  /**
   * Deletes at most 500 deliveries that have ended and were created before `before`, and what is no longer needed. Returns how
   * many.
   */
  sweep(before: string): Promise<number>;
};
