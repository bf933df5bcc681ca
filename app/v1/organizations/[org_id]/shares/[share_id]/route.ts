import { deleteShare } from "#lib/contract/runs/share.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as shares from "#lib/service/shares.ts";

export const DELETE = endpoint(deleteShare, shares.deleteShare);
