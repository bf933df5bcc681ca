import type { Run } from "#lib/contract/run.ts";
import type { WebhookEvent } from "#lib/contract/webhook.ts";

/** The body of an event: the run as GET run answers it, as it was at `timestamp`. */
export function webhookBody(event: { type: WebhookEvent; timestamp: string; data: Run }): string {
  const { type, timestamp, data } = event;
  return JSON.stringify({ type, timestamp, data });
}

/** What the seal of a webhook's secret is bound to: moved to another organization's webhook it does not open. */
export function webhookSealContext(organizationId: number, key: string): string {
  return `webhook:${organizationId}:${key}`;
}
