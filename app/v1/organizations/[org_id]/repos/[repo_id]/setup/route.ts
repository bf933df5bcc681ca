import { acceptSetup, deleteSetup, getSetup } from "#lib/contract/repositories/setup-operations.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as setups from "#lib/service/setups.ts";

export const GET = endpoint(getSetup, setups.getSetup);
export const PUT = endpoint(acceptSetup, setups.acceptSetup);
export const DELETE = endpoint(deleteSetup, setups.deleteSetup);
