import {
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  updateWebhookEndpoint,
} from "#lib/contract/integrations/webhook-operations.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as webhooks from "#lib/service/webhooks.ts";

export const GET = endpoint(getWebhookEndpoint, webhooks.getWebhookEndpoint);
export const PATCH = endpoint(updateWebhookEndpoint, webhooks.updateWebhookEndpoint);
export const DELETE = endpoint(deleteWebhookEndpoint, webhooks.deleteWebhookEndpoint);
