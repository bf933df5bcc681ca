import type { WebhookEvent } from "#lib/contract/integrations/webhook.ts";
import type { Run } from "#lib/contract/runs/run.ts";

/** Body of an event: the run as GET run returns it, with secrets masked, as it was at `timestamp`, its status in Errand's words. */
export function webhookBody(event: { type: WebhookEvent; timestamp: string; data: Run }): string {
  const { type, timestamp, data } = event;
  return JSON.stringify({ type, timestamp, data });
}

/** Encryption context of a webhook's secret: it cannot be decrypted as another organization's. */
export function webhookSealContext(organizationId: number, key: string): string {
  return `webhook:${organizationId}:${key}`;
}
