import { removeFromPullRequest } from "#lib/contract/runs/run-ban.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as bans from "#lib/service/run-bans.ts";

export const POST = endpoint(removeFromPullRequest, bans.banRun);
