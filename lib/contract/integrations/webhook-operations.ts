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

const OneTimeSecret = z
  .string()
  .nullable()
  .describe("The secret, only if it was just created; it is not shown again")
  .meta({ example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" });

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
    "Clients of the reference service know only this webhook; `webhooks/endpoints` lists all. It gets the events of every run that has no webhooks of its own; statuses are always Errand's own. Pending deliveries go to the new " +
    "address, signed with the new secret. Turning it off cancels them. An address in a private network is refused " +
    "unless the installation allows it (ERRAND_OUTBOUND_ALLOW).",
  body: WebhookConfigRequest,
  result: WebhookConfigResponse.extend({
    secret: OneTimeSecret,
  }),
  idempotent: "repeatable",
  ifMatch: true,
  tagged: true,
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

const EndpointParams = OrgParams.extend({ endpoint_id: Id.describe("The webhook").meta({ example: 1 }) });
export const listWebhookEndpoints = defineOperation({
  ...shared,
  id: "listWebhookEndpoints",
  summary: "List the organization's webhooks",
  description: "All of them, oldest first, including the default one if there is one.",
  result: z.object({ items: z.array(WebhookEndpoint).describe("The webhooks") }),
});

export const createWebhookEndpoint = defineOperation({
  ...shared,
  id: "createWebhookEndpoint",
  summary: "Add a webhook",
  description: `Each webhook has its own events and secret, and gets those events of every run that has no webhooks of its own. An organization has at most ${webhooksMax} besides the default one: 409 if there are as many already. An address in a private network is refused (400) unless the installation allows it (ERRAND_OUTBOUND_ALLOW).`,
  refusals: ["conflict"],
  body: CreateWebhookEndpoint,
  result: WebhookEndpoint.extend({ secret: OneTimeSecret }),
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
    "Fields left out stay as they are. Pending deliveries go to the new address, signed with the new secret; turning it off cancels them. A webhook that was turned off because its target answered 410 is turned on again by any change, even an empty one, unless it sets `enabled: false`.",
  params: EndpointParams,
  body: UpdateWebhookEndpoint,
  result: WebhookEndpoint.extend({ secret: OneTimeSecret }),
  idempotent: "repeatable",
  ifMatch: true,
  tagged: true,
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
  context.addIssue({ code: "custom", message: `must be one or more of ${WebhookEvent.options.join(", ")}` });
  return z.NEVER;
});

export const ListEventsQuery = z.object({
  after: z
    .string()
    .regex(/^\d{1,15}$/, "must be a `cursor` of this operation")
    .optional()
    .describe("The `cursor` of the last response; by default, reading begins with the oldest event")
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
    "What happened to runs in the last 30 days, oldest first, whether or not there is a webhook. `data` is the run as GET run returned it then: unlike in webhooks, secrets are not masked and statuses are in the token's vocabulary. To continue, send the last `cursor` as `after` until `has_more` is false, and later again. Events of a deleted run are deleted with it.",
  scope: "runs:read",
  params: OrgParams,
  query: ListEventsQuery,
  result: z.object({
    items: z.array(EventItem).describe("The events, oldest first"),
    cursor: z
      .string()
      .describe("For `after` of the next request; given back unchanged if nothing new happened")
      .meta({ example: "17" }),
    has_more: z.boolean().describe("Whether more events can be read now").meta({ example: false }),
    missed: z
      .boolean()
      .describe(
        "Whether events after `after` may have been deleted: they are older than 30 days, or their run was deleted",
      ),
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
    "Deliveries to the organization's webhooks and to webhooks of runs. They are kept for 30 days after the event.",
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
