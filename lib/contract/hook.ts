import { z } from "zod";
import { defineOperation, Id } from "./define-operation.ts";

/** The most bytes of an event: what GitHub sends at most. */
export const hookBytesMax = 25 * 1024 * 1024;

/** Answer to an event. Slack wants the text of its challenge given back. */
export const EventTaken = z.object({
  accepted: z.boolean().describe("False where nothing is done with events of this kind"),
  duplicate: z.boolean().describe("The same event came before"),
  challenge: z.string().optional().describe("Slack only, when the address is set up"),
});
export type EventTaken = z.infer<typeof EventTaken>;

export const receiveEvent = defineOperation({
  id: "receiveEvent",
  method: "POST",
  path: "/v1/hooks/{integration_id}",
  tag: "Integrations",
  summary: "Take an event of a connected service",
  description:
    "For the webhooks of GitHub, GitLab, Forgejo, Slack and Linear: metadata.hook_url of an integration leads here. There is no token; the signature over the raw body proves who sends it, with the secret of the integration. 202 where the event is new, 200 where it came before. What mentions the service starts a run or goes on with the run of that conversation, once the host has said that its author may write there.",
  scope: null,
  rateClass: "none",
  params: z.object({ integration_id: Id }),
  body: z.unknown(),
  bodyBytesMax: hookBytesMax,
  result: EventTaken,
  mayAccept: true,
});
