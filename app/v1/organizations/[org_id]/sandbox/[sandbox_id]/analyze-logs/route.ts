import { analyzeSandboxLogs } from "#lib/contract/logs/analyze-logs.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as analyses from "#lib/service/analyze-logs.ts";

export const POST = endpoint(analyzeSandboxLogs, analyses.analyzeSandboxLogs);
