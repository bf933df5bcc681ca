import { postTelemetryTraces } from "#lib/contract/logs/telemetry.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as telemetry from "#lib/service/telemetry.ts";

export const POST = endpoint(postTelemetryTraces, telemetry.postTelemetryTraces, telemetry.readTraces);
