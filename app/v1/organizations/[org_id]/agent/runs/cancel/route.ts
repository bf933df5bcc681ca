import { cancelRuns } from "#lib/contract/runs/run-list.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as runs from "#lib/service/runs.ts";

export const POST = endpoint(cancelRuns, runs.cancelRuns);
