import { getSharedTools } from "#lib/contract/runs/shared-run.ts";
import { publicEndpoint } from "#lib/http/endpoint.ts";
import * as shared from "#lib/service/shared-logs.ts";

export const GET = publicEndpoint(getSharedTools, shared.getSharedTools);
