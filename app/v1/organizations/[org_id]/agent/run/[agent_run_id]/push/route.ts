import { pushRun } from "#lib/contract/runs/push.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as pushes from "#lib/service/push-run.ts";

export const POST = endpoint(pushRun, pushes.pushRun);
