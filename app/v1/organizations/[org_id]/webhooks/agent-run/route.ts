import { deleteWebhook, getWebhook, setWebhook } from "#lib/contract/integrations/webhook-operations.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as webhooks from "#lib/service/webhooks.ts";

export const GET = endpoint(getWebhook, webhooks.getWebhook);
export const POST = endpoint(setWebhook, webhooks.setWebhook);
export const DELETE = endpoint(deleteWebhook, webhooks.deleteWebhook);
