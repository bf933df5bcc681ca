import { changeNetwork, getNetwork, putNetwork } from "#lib/contract/repositories/network.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as networks from "#lib/service/networks.ts";

export const GET = endpoint(getNetwork, networks.getNetwork);
export const PUT = endpoint(putNetwork, networks.putNetwork);
export const PATCH = endpoint(changeNetwork, networks.changeNetwork);
