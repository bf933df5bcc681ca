import { getLogPosition } from "#lib/contract/logs/log-position.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as logs from "#lib/service/logs.ts";

export const GET = endpoint(getLogPosition, logs.getLogPosition);
