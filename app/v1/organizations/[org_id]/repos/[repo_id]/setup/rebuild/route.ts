import { rebuildSetup } from "#lib/contract/repositories/setup-operations.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as setups from "#lib/service/setups.ts";

export const POST = endpoint(rebuildSetup, setups.rebuildSetup);
