import { listEvents } from "#lib/contract/integrations/webhook-operations.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as webhooks from "#lib/service/webhooks.ts";

export const GET = endpoint(listEvents, webhooks.listEvents);
