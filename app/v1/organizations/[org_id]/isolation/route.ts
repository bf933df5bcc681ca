import { getIsolation } from "#lib/contract/runs/isolation.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as agents from "#lib/service/agents.ts";

export const GET = endpoint(getIsolation, agents.getIsolation);
