import { z } from "zod";
import { defineOperation, OrgParams } from "./define-operation.ts";
import { Isolation } from "./isolation.ts";
import { Instant } from "./text.ts";

/** An agent that runs can name, as the engine last found it. */
export const Agent = z.object({
  id: z.string().describe("ID of the agent, for `agent` of POST run"),
  title: z.string().describe("Name for people"),
  ready: z.boolean().describe("Whether it can work now"),
  reason: z.string().nullable().describe("Why it is not ready and how to fix that; null if it is ready"),
  version: z.string().nullable().describe("Version that it reported; null if it has reported none"),
  has_model: z.boolean().describe("False for the built-in agent, which runs the steps of the prompt"),
  models: z.array(z.string()).describe("Model names known to the agent's profile; others are accepted too"),
  keys: z.array(z.string()).describe("Variables of the keys that Errand can store for it, for `variable` of PUT keys"),
  isolation: Isolation.describe(
    "How its runs are isolated: `wall` or `leash`, see `isolation` of a run. An organization that requires the wall gets no other",
  ),
  isolation_reason: z.string().nullable().describe("Why its runs are on the leash; null behind the wall"),
  wall_problem: z
    .string()
    .nullable()
    .describe("Why its runs could not start behind the wall if that were required; null if they could"),
  is_default: z.boolean().describe("Used for runs that name no agent"),
  checked_at: Instant.describe("When the engine last checked whether it is ready"),
});
export type Agent = z.infer<typeof Agent>;

export const listAgents = defineOperation({
  id: "listAgents",
  tag: "Agents",
  summary: "List the agents, ready ones first",
  scope: "runs:read",
  params: OrgParams,
  result: z.object({ items: z.array(Agent).describe("All agents, ready ones first") }),
});
