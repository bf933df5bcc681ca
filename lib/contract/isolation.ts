import { z } from "zod";
import { defineOperation, OrgParams } from "./define-operation.ts";
import { Instant } from "./text.ts";

/**
 * How an agent is isolated: `wall`: it sees only its checkout, a home of its own and the system's programs; `leash`: not at all, but
 * its processes are ended with its turn.
 */
export const Isolation = z.enum(["wall", "leash"]);
export type Isolation = z.infer<typeof Isolation>;

/** What holds on the machine on which agents work, as the engine last found it. */
export const MachineIsolation = z.object({
  setting: z
    .enum(["auto", "wall", "leash"])
    .describe(
      "`ERRAND_ISOLATION` of the service: `wall` and `leash` for all agents, `auto` for the wall where it holds and an agent can reach its models from there",
    ),
  holds: z.boolean().describe("Whether agents can be put behind the wall here"),
  why: z.string().nullable().describe("Why not, in the words of what refused it; null if it holds"),
  command: z
    .string()
    .nullable()
    .describe("Command that makes it hold, for a terminal on the machine; null if it holds or no command does"),
  advice: z.string().nullable().describe("What makes it hold where no command does; null otherwise"),
  runs_as: z
    .enum(["own", "service", "root"])
    .describe(
      "Whom agents run as behind the wall: a user of their own (`ERRAND_AGENT_USER`), the user of the service, or root where the service is root",
    ),
  checked_at: Instant.describe("When the engine last checked"),
});
export type MachineIsolation = z.infer<typeof MachineIsolation>;

export const getIsolation = defineOperation({
  id: "getIsolation",
  tag: "Agents",
  summary: "Get whether the wall holds on the machine of the agents",
  description:
    "Checked by the engine in the same way that runs start. `isolation` of `GET agents` has how each agent is isolated.",
  scope: "org:read",
  params: OrgParams,
  result: z.object({
    machine: MachineIsolation.nullable().describe("Null before an engine has checked"),
  }),
});
