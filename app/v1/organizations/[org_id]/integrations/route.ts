import { listIntegrations } from "#lib/contract/integrations/integration.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as integrations from "#lib/service/integrations.ts";

export const GET = endpoint(listIntegrations, integrations.listIntegrations);
