import { z } from "zod";
import { webhooksMax } from "#lib/contract/bounds.ts";
import { defineOperation, Id, OrgParams, repeatable } from "#lib/contract/define-operation.ts";
import { Page, Paging } from "#lib/contract/page.ts";
import { WholeNumber } from "#lib/contract/whole-number.ts";
import {
  CreateWebhookEndpoint,
  DeliveryState,
  UpdateWebhookEndpoint,
  WebhookConfigRequest,
  WebhookConfigResponse,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEvent,
  WebhookTestRequest,
  WebhookTestResult,
} from "./webhook.ts";
import { EventItem } from "./webhook-message.ts";

const shared = { scope: "org:admin", params: OrgParams } as const;

export const getWebhook = defineOperation({
  ...shared,
  id: "getWebhook",
  isReference: true,
  summary: "Get the organization's default webhook",
  result: WebhookConfigResponse,
});

export const setWebhook = defineOperation({
  ...shared,
  id: "setWebhook",
  isReference: true,
  summary: "Set the organization's default webhook",
  description:
    "As clients of the reference service know it, there is one; others are `webhooks/endpoints`. It receives events of every run of the organization that has no webhooks of its own, with statuses always in Errand's words. Pending deliveries go to the new " +
    "address, signed with the new secret. Turning it off cancels them. An address in a private network is refused " +
    "unless the installation allows it (ERRAND_OUTBOUND_ALLOW).",
  body: WebhookConfigRequest,
  result: WebhookConfigResponse.extend({
    secret: z
      .string()
      .nullable()
      .describe("The secret, only if it was just created; it is not shown again")
      .meta({ example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" }),
  }),
  idempotent: "repeatable",
  ifMatch: true,
});

export const deleteWebhook = defineOperation({
  ...shared,
  id: "deleteWebhook",
  isReference: true,
  summary: "Delete the organization's default webhook",
  description: "Pending deliveries are cancelled. Without a webhook nothing changes.",
  result: WebhookConfigResponse,
  ifMatch: true,
  tagged: true,
});

export const testWebhook = defineOperation({
  ...shared,
  id: "testWebhook",
  isReference: true,
  summary: "Send a test event to an address",
  description:
    "Sends one event of the type `webhook.test` and returns the result; it is tried once, for 15 seconds. The response is 200 " +
    "whatever the target said: see `delivered`.",
  rateClass: "webhook_test",
  body: WebhookTestRequest,
  result: WebhookTestResult,
});

const EndpointParams = OrgParams.extend({ endpoint_id: Id.describe("The endpoint").meta({ example: 1 }) });
const ShownSecret = z
  .string()
  .nullable()
  .describe("The secret, only if it was just created; it is not shown again")
  .meta({ example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" });

export const listWebhookEndpoints = defineOperation({
  ...shared,
  id: "listWebhookEndpoints",
  summary: "List the organization's webhooks",
  description: "All of them, the oldest first; the default one is among them.",
  result: z.object({ items: z.array(WebhookEndpoint).describe("The webhooks") }),
});

export const createWebhookEndpoint = defineOperation({
  ...shared,
  id: "createWebhookEndpoint",
  summary: "Add a webhook",
  description: `Each webhook gets the events that it names, of every run that has no webhooks of its own, with a secret of its own. At most ${webhooksMax}. An address in a private network is refused unless the installation allows it (ERRAND_OUTBOUND_ALLOW).`,
  refusals: ["conflict"],
  body: CreateWebhookEndpoint,
  result: WebhookEndpoint.extend({ secret: ShownSecret }),
  idempotent: "once",
});

export const getWebhookEndpoint = defineOperation({
  ...shared,
  id: "getWebhookEndpoint",
  summary: "Get a webhook",
  params: EndpointParams,
  result: WebhookEndpoint,
});

export const updateWebhookEndpoint = defineOperation({
  ...shared,
  id: "updateWebhookEndpoint",
  summary: "Change a webhook",
  description:
    "What is left out stays. Pending deliveries go to the new address, signed with the new secret; turning it off cancels them. Any change turns one on again that was turned off because its target was gone, unless it says `enabled: false`.",
  params: EndpointParams,
  body: UpdateWebhookEndpoint,
  result: WebhookEndpoint.extend({ secret: ShownSecret }),
  idempotent: "repeatable",
  ifMatch: true,
});

export const deleteWebhookEndpoint = defineOperation({
  ...shared,
  id: "deleteWebhookEndpoint",
  summary: "Delete a webhook",
  description: "Pending deliveries are cancelled.",
  params: EndpointParams,
  result: z.object({ id: z.int().describe("The deleted webhook") }),
  ifMatch: true,
});

/** Several types separated by commas, or the parameter repeated. */
const EventTypes = z.string().transform((value, context): WebhookEvent[] => {
  const { data, error } = z.array(WebhookEvent).safeParse(value.split(",").map((part) => part.trim()));
  if (error === undefined) return data;
  context.addIssue({ code: "custom", message: `must be one or several of ${WebhookEvent.options.join(", ")}` });
  return z.NEVER;
});

export const ListEventsQuery = z.object({
  after: z
    .string()
    .regex(/^\d{1,15}$/, "must be a `cursor` of this operation")
    .optional()
    .describe("The `cursor` of the last response; by default the oldest event comes first")
    .meta({ example: "17" }),
  limit: WholeNumber(1, 100).default(100).describe("Maximum number of events to return"),
  type: EventTypes.optional().meta({
    description: "Only events of these types: one, or several separated by commas or repeated",
    [repeatable]: true,
    example: "run.finished",
  }),
  agent_run_id: Id.optional().describe("Only events of this run"),
});
export type ListEventsQuery = z.infer<typeof ListEventsQuery>;

export const listEvents = defineOperation({
  id: "listEvents",
  summary: "List events",
  description:
    "What happened to runs in the last 30 days, in the order in which it happened, with the bodies that webhooks get, whether there is a webhook or not. A client that was away reads on from its `cursor`: ask again with it until `has_more` is false, and later again. Events of a deleted run are deleted with it.",
  scope: "runs:read",
  params: OrgParams,
  query: ListEventsQuery,
  result: z.object({
    items: z.array(EventItem).describe("The events, oldest first"),
    cursor: z
      .string()
      .describe("For `after` of the next request; given back unchanged if nothing new happened")
      .meta({ example: "17" }),
    has_more: z.boolean().describe("Whether more events can be read now"),
    missed: z
      .boolean()
      .describe("Whether events after `after` may have been deleted, because they are older than 30 days"),
  }),
});

export const ListDeliveriesQuery = Paging.extend({
  agent_run_id: Id.optional().describe("Only deliveries for this run"),
  endpoint_id: Id.optional().describe("Only deliveries to this webhook of the organization"),
  state: DeliveryState.optional().describe("Only deliveries in this state").meta({ example: "failed" }),
});
export type ListDeliveriesQuery = z.infer<typeof ListDeliveriesQuery>;

export const listDeliveries = defineOperation({
  ...shared,
  id: "listDeliveries",
  summary: "List webhook deliveries, newest first",
  description:
    "Deliveries of the organization's webhook and of webhooks of runs. They are kept for 30 days after the event.",
  query: ListDeliveriesQuery,
  result: Page(WebhookDelivery),
});

export const resendDelivery = defineOperation({
  ...shared,
  id: "resendDelivery",
  summary: "Send a delivery again",
  description:
    "It is sent at once, with the same webhook-id, and retried for another 24 hours. 409 while it is being sent, and if its webhook " +
    "was deleted, replaced or turned off.",
  refusals: ["conflict"],
  params: OrgParams.extend({ delivery_id: Id.describe("The delivery") }),
  result: WebhookDelivery,
  idempotent: "once",
});
