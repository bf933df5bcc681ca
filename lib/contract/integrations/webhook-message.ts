import { z } from "zod";
import { Run } from "#lib/contract/runs/run.ts";
import { Instant } from "#lib/contract/text.ts";
import { WebhookEvent } from "./webhook.ts";

/** What each event says. */
export const webhookEventWords: Record<WebhookEvent, string> = {
  "run.started": "A run has started, or was resumed and left the queue",
  "run.waiting": "A run asks a question and waits for the answer",
  "run.finished": "A run has ended, for whatever reason: see data.status",
};

/** Body of a webhook's request. */
export const WebhookMessage = z.object({
  type: WebhookEvent.describe("What happened"),
  timestamp: Instant.describe("When it happened"),
  data: Run.describe("The run as GET run returns it, with secrets masked, as it was at `timestamp`"),
});
/** An event as it is listed. */
export const EventItem = z.object({
  id: z.int().describe("Its number: later events have higher ones"),
  webhook_id: z.string().describe("The webhook-id header of its deliveries").meta({ example: "msg_1_run.finished" }),
  ...WebhookMessage.shape,
  data: Run.describe("The run as GET run returned it at `timestamp`"),
});
z.globalRegistry.add(EventItem, { id: "Event" });
z.globalRegistry.add(WebhookMessage, { id: "WebhookMessage" });
