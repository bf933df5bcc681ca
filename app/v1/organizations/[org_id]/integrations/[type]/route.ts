import { deleteIntegration, putIntegration } from "#lib/contract/integrations/integration.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as integrations from "#lib/service/integrations.ts";

export const PUT = endpoint(putIntegration, integrations.putIntegration);
export const DELETE = endpoint(deleteIntegration, integrations.deleteIntegration);
