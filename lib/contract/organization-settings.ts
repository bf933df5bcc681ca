import { z } from "zod";
import { defineOperation, O, OrgParams } from "./define-operation.ts";
import { PermissionMode, TurnTimeout } from "./run.ts";
import { FilledText, Text } from "./text.ts";

const tag = "Organizations and users";

/** The longest rules text of an organization or a person, in UTF-16 units. */
export const rulesCharactersMax = 20_000;

/** What an organization sets for all its runs. The first two are those of the reference service. */
export const OrganizationSettings = z.object({
  enable_pr_creation: z
    .boolean()
    .describe("Whether runs may open pull requests. Kept, and without effect in this version: it opens none yet"),
  enable_rules_detection: z
    .boolean()
    .describe("Whether agents are pointed to the rule files of a repository: AGENTS.md, CLAUDE.md, .cursorrules …"),
  name: z.string().describe("The organization's name"),
  rules: z.string().nullable().describe("Given to the agent with the first message of every run"),
  default_agent: z.string().nullable().describe("For runs that name none, where it is ready"),
  default_model: z.string().nullable().describe("For runs of default_agent that name no model"),
  default_permission_mode: PermissionMode.nullable().describe("For runs that name none; null: auto"),
  default_turn_timeout_s: z
    .int()
    .nullable()
    .describe("Seconds that a turn may take; the service's own limit holds too"),
});
export type OrganizationSettings = z.infer<typeof OrganizationSettings>;

/** What agents are told; text of white space alone says nothing and counts as null. */
export const Rules = Text(rulesCharactersMax);

/** Request body of `PATCH settings`: what is not given stays as it is, null clears. */
export const ChangeSettings = z
  .object({
    enable_pr_creation: z
      .boolean()
      .optional()
      .describe("Whether runs may open pull requests; kept, and without effect in this version"),
    enable_rules_detection: z
      .boolean()
      .optional()
      .describe("Whether agents are pointed to the rule files of a repository"),
    name: FilledText(100).optional().describe("The organization's name"),
    rules: Rules.nullable()
      .optional()
      .describe("Given to the agent with the first message of every run; null for none"),
    default_agent: FilledText(64)
      .nullable()
      .optional()
      .describe("For runs that name none; null for the service's own choice"),
    default_model: FilledText(200)
      .nullable()
      .optional()
      .describe("For runs of default_agent that name none; null for the agent's choice"),
    default_permission_mode: PermissionMode.nullable().optional().describe("For runs that name none; null: auto"),
    default_turn_timeout_s: TurnTimeout.nullable()
      .optional()
      .describe("Seconds that a turn may take; null: the service's own limit alone"),
  })
  .refine(
    (changes) => Object.values(changes).some((value) => value !== undefined),
    "must have at least one of the settings",
  );
export type ChangeSettings = z.infer<typeof ChangeSettings>;

export const getSettings = defineOperation({
  id: "getSettings",
  method: "GET",
  path: `${O}/settings`,
  tag,
  summary: "Get the settings of an organization",
  scope: "org:read",
  params: OrgParams,
  result: OrganizationSettings,
});

export const changeSettings = defineOperation({
  id: "changeSettings",
  method: "PATCH",
  path: `${O}/settings`,
  tag,
  summary: "Change the settings of an organization",
  description:
    "All that is given is changed together, or nothing. Runs that were started before keep their agent, model, permission mode " +
    "and time limit; the rules that an agent is given are those that stand when its first message is sent.",
  scope: "org:admin",
  params: OrgParams,
  body: ChangeSettings,
  result: OrganizationSettings,
});

export const getCliRules = defineOperation({
  id: "getCliRules",
  method: "GET",
  path: `${O}/cli/rules`,
  tag,
  summary: "Get the rules for an agent in somebody's own terminal",
  description:
    "The rules of the organization and your own, for clients that hand them to an agent which they start themselves.",
  scope: "org:read",
  params: OrgParams,
  result: z.object({
    organization_rules: z.string().nullable().describe("The organization's rules, or null"),
    user_custom_prompt: z.string().nullable().describe("Your own rules, as PATCH users/me sets them"),
  }),
});
