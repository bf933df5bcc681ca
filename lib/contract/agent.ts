import { z } from "zod";
import { defineOperation, O, OrgParams } from "./define-operation.ts";
import { Instant } from "./text.ts";

/** The id of the agent that comes with the service and needs no model. */
export const builtInAgent = "steps";

/** The agent of runs that another system executes: no engine takes them, their steps come by POST …/logs. */
export const externalAgent = "external";

/** The agent of generate runs: it looks for a repository's setup commands and tries them, without a model. */
export const setupAgent = "setup";

/** The agent of analysis runs: it says what rules find in another run's log, without a model. */
export const analysisAgent = "analysis";

/** Agents of the service's own runs, by the operation that starts them. They are not listed, and no other run can name them. */
export const internalAgents: Record<string, string> = {
  [setupAgent]: "POST …/setup-commands/generate",
  [analysisAgent]: "POST …/analyze-logs",
};

/** An agent that runs can name, as the engine found it last. */
export const Agent = z.object({
  id: z.string().describe("Id of the agent, for `agent` of POST run"),
  title: z.string().describe("Name for people"),
  ready: z.boolean().describe("Whether it can work now"),
  reason: z.string().nullable().describe("Why it is not ready and what would make it so; null where it is"),
  version: z.string().nullable().describe("Version that it reported; null where it has told none"),
  has_model: z.boolean().describe("False for the built-in agent, which runs the steps of the prompt"),
  models: z
    .array(z.string())
    .describe("Names to choose from, where the agent's profile knows any; others are accepted"),
  is_default: z.boolean().describe("Works in runs that name no agent"),
  checked_at: Instant.describe("When the engine last looked whether it is ready"),
});
export type Agent = z.infer<typeof Agent>;

export const listAgents = defineOperation({
  id: "listAgents",
  method: "GET",
  path: `${O}/agents`,
  tag: "Agents",
  summary: "List the agents, ready ones first",
  scope: "runs:read",
  params: OrgParams,
  result: z.object({ items: z.array(Agent).describe("Every agent, ready ones first") }),
});
