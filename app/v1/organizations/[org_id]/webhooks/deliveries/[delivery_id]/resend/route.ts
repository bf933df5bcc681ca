import { resendDelivery } from "#lib/contract/integrations/webhook-operations.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as deliveries from "#lib/service/webhook-deliveries.ts";

export const POST = endpoint(resendDelivery, deliveries.resendDelivery);
