import { signInToAgent } from "#lib/contract/runs/agent.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as agents from "#lib/service/agents.ts";

export const POST = endpoint(signInToAgent, agents.signInToAgent);
