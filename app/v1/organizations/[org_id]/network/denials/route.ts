import { listRecentDenials } from "#lib/contract/repositories/network.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as denials from "#lib/service/denials.ts";

export const GET = endpoint(listRecentDenials, denials.listRecentDenials);
