import { listDeliveries } from "#lib/contract/integrations/webhook-operations.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as deliveries from "#lib/service/webhook-deliveries.ts";

export const GET = endpoint(listDeliveries, deliveries.listDeliveries);
