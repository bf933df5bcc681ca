import { z } from "zod";
import { defineOperation, Id, OrgParams } from "#lib/contract/define-operation.ts";
import { Page, Paging } from "#lib/contract/page.ts";
import {
  DeliveryState,
  WebhookConfigRequest,
  WebhookConfigResponse,
  WebhookDelivery,
  WebhookTestRequest,
  WebhookTestResult,
} from "./webhook.ts";

const shared = { scope: "org:admin", params: OrgParams } as const;

export const getWebhook = defineOperation({
  ...shared,
  id: "getWebhook",
  isReference: true,
  summary: "Get the organization's webhook",
  result: WebhookConfigResponse,
});

export const setWebhook = defineOperation({
  ...shared,
  id: "setWebhook",
  isReference: true,
  summary: "Set the organization's webhook",
  description:
    "It receives events of every run of the organization that has no webhooks of its own, with statuses always in Errand's words. Pending deliveries go to the new " +
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
  summary: "Delete the organization's webhook",
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

export const ListDeliveriesQuery = Paging.extend({
  agent_run_id: Id.optional().describe("Only deliveries for this run"),
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
