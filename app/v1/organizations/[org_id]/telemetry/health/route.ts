import { getTelemetryHealth } from "#lib/contract/telemetry.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as telemetry from "#lib/service/telemetry.ts";

export const GET = endpoint(getTelemetryHealth, telemetry.getTelemetryHealth);
