import { streamLogs } from "#lib/contract/runs/run-operations.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as logs from "#lib/service/logs.ts";

export const GET = endpoint(streamLogs, logs.streamLogs);
