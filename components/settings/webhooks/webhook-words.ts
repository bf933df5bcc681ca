import type { DeliveryState, WebhookDisabledReason, WebhookEvent } from "#lib/contract/integrations/webhook.ts";

/** Labels of events. */
export const eventWords: Record<WebhookEvent, string> = {
  "run.started": "A run starts",
  "run.waiting": "A run waits for an answer",
  "run.finished": "A run finishes",
};

/** Labels and colors of delivery states. */
export const stateWords: Record<
  DeliveryState,
  { label: string; variant: "running" | "completed" | "failed" | "default" }
> = {
  pending: { label: "Pending", variant: "running" },
  delivered: { label: "Delivered", variant: "completed" },
  failed: { label: "Failed", variant: "failed" },
  cancelled: { label: "Cancelled", variant: "default" },
};

/** Reason that a webhook was turned off automatically. */
export const disabledWords: Record<WebhookDisabledReason, string> = {
  gone: "The target answered 410 Gone, so the webhook was turned off. Save it to turn it on again.",
};
