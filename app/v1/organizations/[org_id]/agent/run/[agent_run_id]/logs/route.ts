import { appendLogs } from "#lib/contract/logs/ingest.ts";
import { getLogs } from "#lib/contract/runs/run-operations.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as external from "#lib/service/external-runs.ts";
import * as logs from "#lib/service/logs.ts";

export const GET = endpoint(getLogs, logs.getLogs);
export const POST = endpoint(appendLogs, external.appendLogs);
