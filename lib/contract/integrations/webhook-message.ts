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
z.globalRegistry.add(WebhookMessage, { id: "WebhookMessage" });
