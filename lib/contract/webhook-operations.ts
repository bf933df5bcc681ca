import { z } from "zod";
import { defineOperation, Id, O, OrgParams } from "./define-operation.ts";
import { Page, Paging } from "./page.ts";
import {
  DeliveryState,
  WebhookConfigRequest,
  WebhookConfigResponse,
  WebhookDelivery,
  WebhookTestRequest,
  WebhookTestResult,
} from "./webhook.ts";

const tag = "Webhooks";
const shared = { tag, scope: "org:admin", params: OrgParams } as const;

export const getWebhook = defineOperation({
  ...shared,
  id: "getWebhook",
  method: "GET",
  path: `${O}/webhooks/agent-run`,
  summary: "Get the organization's webhook",
  result: WebhookConfigResponse,
});

export const setWebhook = defineOperation({
  ...shared,
  id: "setWebhook",
  method: "POST",
  path: `${O}/webhooks/agent-run`,
  summary: "Set the organization's webhook",
  description:
    "It hears of every run of the organization that was not given webhooks of its own. What was not delivered yet goes to the new " +
    "address, signed with the new secret. Turning it off ends what was not delivered. An address in a private network is refused " +
    "unless the instance allows it (ERRAND_OUTBOUND_ALLOW).",
  body: WebhookConfigRequest,
  result: WebhookConfigResponse.extend({
    secret: z.string().nullable().describe("Only where it was just made; it is not shown again"),
  }),
});

export const deleteWebhook = defineOperation({
  ...shared,
  id: "deleteWebhook",
  method: "DELETE",
  path: `${O}/webhooks/agent-run`,
  summary: "Delete the organization's webhook",
  description: "What was not delivered yet ends. Without a webhook nothing changes.",
  result: WebhookConfigResponse,
});

export const testWebhook = defineOperation({
  ...shared,
  id: "testWebhook",
  method: "POST",
  path: `${O}/webhooks/agent-run/test`,
  summary: "Send a test to an address",
  description:
    "Sends one event of the type `webhook.test` and tells what came back; it is tried once, for 15 seconds. The answer is 200 " +
    "whatever the target said: `delivered` tells.",
  rateClass: "webhook_test",
  body: WebhookTestRequest,
  result: WebhookTestResult,
});

export const ListDeliveriesQuery = Paging.extend({
  agent_run_id: Id.optional().describe("Only those of this run"),
  state: DeliveryState.optional().describe("Only those in this state"),
});
export type ListDeliveriesQuery = z.infer<typeof ListDeliveriesQuery>;

export const listDeliveries = defineOperation({
  ...shared,
  id: "listDeliveries",
  method: "GET",
  path: `${O}/webhooks/deliveries`,
  summary: "List webhook deliveries, newest first",
  description:
    "Of the organization's webhook and of those that runs were given. They are kept for 30 days after the event.",
  query: ListDeliveriesQuery,
  result: Page(WebhookDelivery),
});

export const resendDelivery = defineOperation({
  ...shared,
  id: "resendDelivery",
  method: "POST",
  path: `${O}/webhooks/deliveries/{delivery_id}/resend`,
  summary: "Send a delivery again",
  description:
    "It is sent at once, with the same webhook-id, and tried for another 24 hours. 409 while it is being sent, and where its webhook " +
    "is deleted, replaced or off.",
  params: OrgParams.extend({ delivery_id: Id }),
  result: WebhookDelivery,
});
