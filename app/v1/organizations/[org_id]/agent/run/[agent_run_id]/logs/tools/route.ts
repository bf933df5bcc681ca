import { getLogTools } from "#lib/contract/logs/log-tools.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as logs from "#lib/service/logs.ts";

export const GET = endpoint(getLogTools, logs.getLogTools);
