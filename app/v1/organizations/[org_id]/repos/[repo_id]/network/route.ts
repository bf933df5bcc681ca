import {
  changeRepositoryNetwork,
  getRepositoryNetwork,
  putRepositoryNetwork,
} from "#lib/contract/repositories/network.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as networks from "#lib/service/networks.ts";

export const GET = endpoint(getRepositoryNetwork, networks.getRepositoryNetwork);
export const PUT = endpoint(putRepositoryNetwork, networks.putRepositoryNetwork);
export const PATCH = endpoint(changeRepositoryNetwork, networks.changeRepositoryNetwork);
