import { createShare, listShares } from "#lib/contract/runs/share.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as shares from "#lib/service/shares.ts";

export const GET = endpoint(listShares, shares.listShares);
export const POST = endpoint(createShare, shares.createShare);
