import { getSharedTimeline } from "#lib/contract/runs/shared-run.ts";
import { publicEndpoint } from "#lib/http/endpoint.ts";
import * as shared from "#lib/service/shared-overview.ts";

export const GET = publicEndpoint(getSharedTimeline, shared.getSharedTimeline);
