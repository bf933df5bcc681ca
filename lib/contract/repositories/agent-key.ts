import { z } from "zod";
import { defineOperation, Id, OrgParams } from "#lib/contract/define-operation.ts";
import { Instant } from "#lib/contract/text.ts";

/** Bounds of a key's value, in characters: a shorter one could not be distinguished from ordinary text. */
export const agentKeyBounds = { valueMin: 8, valueMax: 4096 } as const;

const { valueMin, valueMax } = agentKeyBounds;

/** A key that is stored for agents. Its value is never returned. */
export const AgentKey = z.object({
  id: z.int().describe("The key's id; saving the key again does not change it"),
  variable: z.string().describe("The variable in which agents look for it").meta({ example: "ANTHROPIC_API_KEY" }),
  repository_id: z.int().nullable().describe("The repository whose runs use it; null: every run of the organization"),
  changed_at: Instant.describe("When it was last set"),
  problem: z.string().nullable().describe("Why its value cannot be decrypted, and so no agent gets it; null if it can"),
  warning: z
    .string()
    .nullable()
    .describe(
      "Why its value is a bad one, such as a common word, which is masked in ordinary text too; null if it is not",
    ),
});
export type AgentKey = z.infer<typeof AgentKey>;

/** Request body of `PUT keys`. */
export const PutAgentKey = z.object({
  variable: z
    .string()
    .max(128, "must have at most 128 characters")
    .regex(
      /^[A-Z][A-Z0-9_]*$/,
      "must be the name of an environment variable: capital letters, digits and _, starting with a letter",
    )
    .describe("The variable in which agents look for it, like ANTHROPIC_API_KEY"),
  repo_id: Id.nullish().describe("The repository whose runs use it, in place of the organization's"),
  value: z
    .string()
    .min(valueMin, `must have at least ${valueMin} characters`)
    .max(valueMax, `must have at most ${valueMax} characters`)
    .regex(/^[\x21-\x7e]*$/, "must be one word of printable ASCII characters")
    .describe("The key. Stored encrypted and never returned"),
});
z.globalRegistry.add(PutAgentKey, { example: { variable: "ANTHROPIC_API_KEY", value: "sk-the-key" } });
export type PutAgentKey = z.infer<typeof PutAgentKey>;

export const listKeys = defineOperation({
  id: "listKeys",
  summary: "List the keys that are stored for agents",
  description: "By variable, the organization's key before those of repositories. Their values are never returned.",
  scope: "org:admin",
  params: OrgParams,
  result: z.object({ items: z.array(AgentKey).describe("Every stored key") }),
});

export const putKey = defineOperation({
  id: "putKey",
  summary: "Save a key for agents",
  description:
    "Takes precedence over the same key in Errand's environment. Behind the wall the agent never holds it: it gets a placeholder, and its run's proxy replaces that with the key. `keys` of each agent in `GET agents` lists the variables that the agent uses.",
  scope: "org:admin",
  params: OrgParams,
  body: PutAgentKey,
  result: AgentKey,
});

export const deleteKey = defineOperation({
  id: "deleteKey",
  summary: "Delete a stored key",
  description: "Turns already in progress keep using it.",
  scope: "org:admin",
  params: OrgParams.extend({ key_id: Id.describe("The stored key") }),
  result: AgentKey,
});
