import { streamSharedLogs } from "#lib/contract/runs/shared-run.ts";
import { publicEndpoint } from "#lib/http/endpoint.ts";
import * as shared from "#lib/service/shared-stream.ts";

export const GET = publicEndpoint(streamSharedLogs, shared.streamSharedLogs);
