import { fileURLToPath } from "node:url";
import type { AgentProfile } from "#lib/agents/agent.ts";
import { defaultProfile } from "#lib/agents/profiles.ts";

const program = fileURLToPath(new URL("./scripted-agent.fixture.ts", import.meta.url));
const cache = process.env.NODE_COMPILE_CACHE;

/** The scripted agent with a scenario, as an agent with a model. It starts twice as fast with the compile cache of `npm test`. */
export function scriptedProfile(scenario: object): AgentProfile {
  return {
    ...defaultProfile("scripted", "Scripted"),
    command: [process.execPath, program, JSON.stringify(scenario)],
    env: cache === undefined ? {} : { NODE_COMPILE_CACHE: cache },
  };
}
