import { createWebhookEndpoint, listWebhookEndpoints } from "#lib/contract/integrations/webhook-operations.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as webhooks from "#lib/service/webhooks.ts";

export const GET = endpoint(listWebhookEndpoints, webhooks.listWebhookEndpoints);
export const POST = endpoint(createWebhookEndpoint, webhooks.createWebhookEndpoint);
