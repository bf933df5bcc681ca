import { z } from "zod";
import { Run } from "#lib/contract/runs/run.ts";
import { Instant } from "#lib/contract/text.ts";
import { WebhookEvent } from "./webhook.ts";

/** What each event means. */
export const webhookEventWords: Record<WebhookEvent, string> = {
  "run.started": "A run has left the queue: for the first time, or after it was resumed",
  "run.waiting": "A run asks a question and waits for the answer",
  "run.finished": "A run has ended, for whatever reason: see data.status",
};

/** Body of a webhook's request. */
export const WebhookMessage = z.object({
  type: WebhookEvent.describe("What happened"),
  timestamp: Instant.describe("When it happened"),
  data: Run.describe("The run as GET run returns it, with secrets masked, as it was at `timestamp`"),
});
/** Body of the request that a test sends. */
export const WebhookTestMessage = z.object({
  type: z.literal("webhook.test").describe("That it is a test"),
  timestamp: Instant.describe("When it was sent"),
  data: z
    .object({
      organization_id: z.int().describe("The organization whose webhook is tested"),
      message: z.string().describe("A sentence for people"),
    })
    .describe("What it is about"),
});
/** An event as it is listed. */
export const EventItem = z.object({
  id: z.int().describe("The event's id; later events have higher ids"),
  webhook_id: z
    .string()
    .describe("The webhook-id header of its deliveries")
    .meta({ example: "msg_5f0c3d2e1b6a49788c0d1e2f3a4b5c6d" }),
  ...WebhookMessage.shape,
  data: Run.describe("The run as GET run returned it at `timestamp`"),
});
z.globalRegistry.add(EventItem, { id: "Event" });
z.globalRegistry.add(WebhookMessage, { id: "WebhookMessage" });
