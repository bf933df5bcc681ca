import { z } from "zod";
import { Run } from "#lib/contract/runs/run.ts";
import { Instant } from "#lib/contract/text.ts";
import { WebhookEvent } from "./webhook.ts";

/** What has happened to the run of an event. */
export const webhookEventWords: Record<WebhookEvent, string> = {
  "run.started": "Left the queue: when it starts, and each time it is resumed",
  "run.waiting": "Asks a question and waits for an answer",
  "run.finished": "Ended, for whatever reason: see data.status",
};

/** Body of a webhook's request. */
export const WebhookMessage = z.object({
  type: WebhookEvent.describe("What happened"),
  timestamp: Instant.describe("When it happened"),
  data: Run.describe("The run as GET run returns it, with secrets masked, as it was at `timestamp`"),
});
z.globalRegistry.add(WebhookMessage, { id: "WebhookMessage" });
