import { z } from "zod";
import { defineOperation, OrgParams } from "#lib/contract/define-operation.ts";
import { Instant } from "#lib/contract/text.ts";

/**
 * How an agent is isolated. `wall`: it sees only its checkout, its own home and the system's programs; `leash`: nothing is
 * hidden, but its processes end with its turn.
 */
export const Isolation = z.enum(["wall", "leash"]);
export type Isolation = z.infer<typeof Isolation>;

/** Isolation on the machine where agents work, as the engine last found it. */
export const MachineIsolation = z.object({
  setting: z
    .enum(["auto", "wall", "leash"])
    .describe(
      "`ERRAND_ISOLATION`: `wall` or `leash` for all agents; `auto`: behind the wall, if it works and the agent can reach its models from there",
    ),
  holds: z.boolean().describe("Whether the wall works on this machine"),
  why: z.string().nullable().describe("Why not, in the system's own words; null if it works"),
  command: z
    .string()
    .nullable()
    .describe("Command that fixes this, for a terminal on the machine; null if the wall works or no command helps"),
  advice: z.string().nullable().describe("What to do if no command helps; null otherwise"),
  runs_as: z
    .enum(["own", "service", "root"])
    .describe(
      "The user that agents behind the wall run as: one of their own (`ERRAND_AGENT_USER`), the user Errand runs as, or root if Errand runs as root",
    ),
  checked_at: Instant.describe("When the engine last checked"),
});
export type MachineIsolation = z.infer<typeof MachineIsolation>;

export const getIsolation = defineOperation({
  id: "getIsolation",
  summary: "Check whether the wall works on the agents' machine",
  description:
    "The engine tries it in the same way that runs start. `GET agents` shows how each agent is isolated (`isolation`).",
  scope: "org:read",
  params: OrgParams,
  result: z.object({
    machine: MachineIsolation.nullable().describe("Null until an engine has checked"),
  }),
});
