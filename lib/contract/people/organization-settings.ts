import { z } from "zod";
import { rulesCharactersMax } from "#lib/contract/bounds.ts";
import { defineOperation, OrgParams } from "#lib/contract/define-operation.ts";
import { PermissionMode, TurnTimeout } from "#lib/contract/runs/run.ts";
import { FilledText, NameText, Text } from "#lib/contract/text.ts";
import { keepBounds } from "./keep-rules.ts";

/** Settings of an organization for all its runs. The first two are those of the reference service. */
export const OrganizationSettings = z.object({
  enable_pr_creation: z
    .boolean()
    .describe(
      "Whether runs open pull requests: if false, none is opened automatically, and asking for one gives 409. Those in progress continue",
    ),
  enable_rules_detection: z
    .boolean()
    .describe("Whether agents are pointed to a repository's own rule files: AGENTS.md, CLAUDE.md, .cursorrules …"),
  require_wall: z
    .boolean()
    .describe(
      "Whether runs require the wall, behind which an agent sees only its checkout, a home of its own and the system's programs. A run that cannot work behind it fails with `isolation_unavailable` before its agent starts",
    ),
  name: z.string().describe("The organization's name").meta({ example: "Acme" }),
  rules: z.string().nullable().describe("Given to the agent with the first message of every run"),
  default_agent: z.string().nullable().describe("Agent for runs that name none, if it is ready"),
  default_model: z.string().nullable().describe("Model for runs of default_agent that name none"),
  default_models: z
    .record(z.string(), z.string())
    .describe("Models by agent, for runs of that agent that name none. For default_agent, default_model comes first"),
  default_modes: z
    .record(z.string(), z.string())
    .describe("Agents' own modes by agent, for runs with permission_mode auto that name none"),
  default_permission_mode: PermissionMode.nullable().describe("Permission mode for runs that name none; null: auto"),
  default_turn_timeout_s: z.int().nullable().describe("Seconds a turn may take; Errand's own limit applies too"),
  keep_runs_days: z
    .int()
    .nullable()
    .describe("Runs are deleted this many days after they ended or were reported, whichever is later; null: never"),
  keep_runs_gb: z
    .number()
    .nullable()
    .describe(
      "The oldest runs are deleted when all logs together exceed this many gigabytes (2^30 bytes); null: never",
    ),
  keep_checkouts_days: z
    .int()
    .nullable()
    .describe("Checkouts are removed this many days after their run's end, and the branches kept; null: never"),
});
z.globalRegistry.add(OrganizationSettings, {
  example: {
    require_wall: false,
    rules: "Write tests first.",
    default_agent: "claude",
    default_model: "opus",
    default_models: { codex: "gpt-5" },
    default_modes: { codex: "plan" },
    default_turn_timeout_s: 3600,
    keep_runs_days: 365,
    keep_runs_gb: null,
    keep_checkouts_days: 30,
  },
});
export type OrganizationSettings = z.infer<typeof OrganizationSettings>;

/** Most agents with a default model, and with a default mode. */
export const agentDefaultsMax = 50;

/** Rules for agents; white space alone counts as null. */
export const Rules = Text(rulesCharactersMax);

const Days = z.int().min(1).max(keepBounds.daysMax);

/** Retention settings in a request: absent fields stay as they are, null removes the limit. */
export const KeepChanges = z.object({
  keep_runs_days: Days.nullable()
    .optional()
    .describe("Delete runs this many days after they ended or were reported, whichever is later; null: never"),
  keep_runs_gb: z
    .number()
    .min(0.001, "must be at least 0.001")
    .max(keepBounds.gbMax, `must be at most ${keepBounds.gbMax}`)
    .nullable()
    .optional()
    .describe("Delete the oldest runs when all logs together exceed this many gigabytes (2^30 bytes); null: never"),
  keep_checkouts_days: Days.nullable()
    .optional()
    .describe("Remove checkouts this many days after their run's end, and keep the branches; null: never"),
});
z.globalRegistry.add(KeepChanges, { example: { keep_runs_days: 365, keep_checkouts_days: 14 } });

/** Request body of `PATCH settings`: absent fields stay as they are, null clears. */
export const ChangeSettings = z
  .object({
    enable_pr_creation: z.boolean().optional().describe("Whether runs open pull requests"),
    enable_rules_detection: z
      .boolean()
      .optional()
      .describe("Whether agents are pointed to a repository's own rule files"),
    require_wall: z.boolean().optional().describe("Whether runs require the wall"),
    name: NameText(100).optional().describe("The organization's name"),
    rules: Rules.nullable()
      .optional()
      .describe("Given to the agent with the first message of every run; null for none"),
    default_agent: FilledText(64)
      .nullable()
      .optional()
      .describe("Agent for runs that name none; null for Errand's choice"),
    default_model: FilledText(200)
      .nullable()
      .optional()
      .describe("Model for runs of default_agent that name none; null for the agent's choice"),
    default_models: z
      .record(z.string().max(64), FilledText(200).nullable())
      .refine(
        (models) => Object.keys(models).length <= agentDefaultsMax,
        `must name at most ${agentDefaultsMax} agents`,
      )
      .optional()
      .describe("Models by agent; agents that are not named keep theirs, null removes one"),
    default_modes: z
      .record(z.string().max(64), FilledText(200).nullable())
      .refine((modes) => Object.keys(modes).length <= agentDefaultsMax, `must name at most ${agentDefaultsMax} agents`)
      .optional()
      .describe("Modes by agent; agents that are not named keep theirs, null removes one"),
    default_permission_mode: PermissionMode.nullable()
      .optional()
      .describe("Permission mode for runs that name none; null: auto"),
    default_turn_timeout_s: TurnTimeout.nullable()
      .optional()
      .describe("Seconds a turn may take; null: only Errand's own limit"),
    ...KeepChanges.shape,
  })
  .refine(
    (changes) => Object.values(changes).some((value) => value !== undefined),
    "must have at least one of the settings",
  );
z.globalRegistry.add(ChangeSettings, { example: { name: "Home", rules: "Use tabs.", default_turn_timeout_s: 3600 } });
export type ChangeSettings = z.infer<typeof ChangeSettings>;

export type KeepChanges = z.infer<typeof KeepChanges>;

export const getSettings = defineOperation({
  id: "getSettings",
  summary: "Get the settings of an organization",
  scope: "org:read",
  tagged: true,
  params: OrgParams,
  result: OrganizationSettings,
});

export const changeSettings = defineOperation({
  id: "changeSettings",
  summary: "Change the settings of an organization",
  description:
    "All given settings are changed together, or none. Runs started earlier keep their agent, model, permission mode " +
    "and time limit; the rules given to an agent are those in force when its first message is sent. " +
    "412 if If-Match names other settings than those in force.",
  scope: "org:admin",
  tagged: true,
  ifMatch: true,
  params: OrgParams,
  body: ChangeSettings,
  result: OrganizationSettings,
});

export const getCliRules = defineOperation({
  id: "getCliRules",
  isReference: true,
  summary: "Get the rules for an agent in your own terminal",
  description:
    "The rules of the organization and your own, for clients that pass them to an agent they start themselves.",
  scope: "org:read",
  params: OrgParams,
  result: z
    .object({
      organization_rules: z.string().nullable().describe("The organization's rules, or null"),
      user_custom_prompt: z.string().nullable().describe("Your own rules, as PATCH users/me sets them"),
    })
    .meta({ example: { organization_rules: "Write tests first." } }),
});
