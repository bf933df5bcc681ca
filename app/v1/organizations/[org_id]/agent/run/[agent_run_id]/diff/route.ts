import { getDiff } from "#lib/contract/runs/work.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as work from "#lib/service/run-work.ts";

export const GET = endpoint(getDiff, work.getDiff);
