import { z } from "zod";
import { defineOperation, Id } from "#lib/contract/define-operation.ts";

/** Maximum size of an event in bytes: GitHub's limit. */
export const hookBytesMax = 25 * 1024 * 1024;

/** Response to an event. Slack expects the text of its challenge back. */
export const EventTaken = z.object({
  accepted: z.boolean().describe("False if events of this kind are ignored"),
  duplicate: z.boolean().describe("Whether the same event arrived before").meta({ example: false }),
  challenge: z.string().optional().describe("Slack only: what to return when the address is set up"),
});
export type EventTaken = z.infer<typeof EventTaken>;

export const receiveEvent = defineOperation({
  id: "receiveEvent",
  summary: "Receive an event from a connected service",
  description:
    "For the webhooks of GitHub, GitLab, Forgejo, Slack and Linear: metadata.hook_url of an integration points here. There is no token; the signature over the raw body, made with the integration's secret, proves who sent it. 202 if the event is new, 200 if it arrived before. A mention of Errand starts a run, or continues the run of that conversation, once the host has confirmed that the author may write there. Nothing happens if the run is banned, if the author is linked to a person who may not start runs, or if a code host's message is older than 30 days or older than the connection. A review that requests changes to a run's pull request becomes the run's next turn, with all comments of the review. Events on a run's pull request, branch or checks make Errand check the pull request at once.",
  scope: null,
  rateClass: "none",
  refusals: ["unauthenticated", "rate_limited"],
  params: z.object({ integration_id: Id.describe("The integration, as in its `metadata.hook_url`") }),
  body: z.unknown().meta({ example: { action: "created", comment: { id: 1, body: "@errand fix the failing test" } } }),
  bodyBytesMax: hookBytesMax,
  result: EventTaken,
  mayAccept: true,
});
