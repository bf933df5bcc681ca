import { invalidField } from "#lib/contract/error.ts";
import {
  agentDefaultsMax,
  type ChangeSettings,
  type OrganizationSettings,
} from "#lib/contract/people/organization-settings.ts";
import type { SettingsRow } from "#lib/store/people/organization-settings.ts";
import { recordAct } from "./audit.ts";
import { requireMatch } from "./if-match.ts";
import { Tagged } from "./reply.ts";
import { checkDefaults } from "./run-defaults.ts";
import type { OrganizationContext } from "./service-context.ts";

/** The settings of the organization. */
export async function getSettings(context: OrganizationContext): Promise<Tagged> {
  return new Tagged(presentSettings(await context.store.settings.get(context.access.organizationId)));
}

/**
 * Changes all given settings, or none: 400 if the default agent is unknown, or takes no model although one is set; 412 if If-Match
 * names other settings.
 */
export async function changeSettings(
  context: OrganizationContext,
  { body }: { body: ChangeSettings },
): Promise<Tagged> {
  return await context.store.transaction(async (store) => {
    const changes = changesOf(body);
    const now = await store.settings.get(context.access.organizationId);
    await requireMatch(context, () => presentSettings(now));
    const { defaultModels, defaultModes } = now;
    const { default_models, default_modes } = body;
    if (default_models !== undefined) changes.defaultModels = merged("default_models", defaultModels, default_models);
    if (default_modes !== undefined) changes.defaultModes = merged("default_modes", defaultModes, default_modes);
    const { before, after } = await store.settings.change(context.access, changes);
    await checkDefaults(body, after, store);
    const details = differences(presentSettings(before), presentSettings(after));
    if (Object.keys(details).length > 0) {
      const object = { type: "organization", id: context.access.organizationId, name: after.name };
      await recordAct(store, context, { act: "organization.changed", object, details });
    }
    return new Tagged(presentSettings(after));
  });
}

/** Rules for an agent in somebody's own terminal: the organization's and the caller's. */
export async function getCliRules(context: OrganizationContext) {
  const { store, access, caller } = context;
  const [{ rules }, own] = await Promise.all([
    store.settings.get(access.organizationId),
    store.accounts.findRules(caller.userId),
  ]);
  return { organization_rules: rules, user_custom_prompt: own };
}

/** Rules as stored: white space alone counts as none. */
export function rulesOrNull(rules: string | null): string | null {
  return rules === null || rules.trim() === "" ? null : rules;
}

/** Defaults by agent with changes, of which null removes one. Throws 400 if they are too many. */
function merged(
  field: "default_models" | "default_modes",
  kept: Record<string, string>,
  changes: Record<string, string | null>,
): Record<string, string> {
  const values = new Map(Object.entries(kept));
  for (const [agent, value] of Object.entries(changes)) {
    if (value === null) values.delete(agent);
    else values.set(agent, value);
  }
  if (values.size > agentDefaultsMax) {
    throw invalidField([field], `at most ${agentDefaultsMax} agents can have one`);
  }
  return Object.fromEntries(values);
}

/** Changes for the audit log: of the rules only their length, because they are long. */
function differences(before: OrganizationSettings, after: OrganizationSettings): Record<string, unknown> {
  const names = Object.keys(after) as (keyof OrganizationSettings)[];
  return Object.fromEntries(
    names
      .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      .map((name) => (name === "rules" ? ["rules_characters", after.rules?.length ?? 0] : [name, after[name]])),
  );
}

function changesOf(body: ChangeSettings): Partial<SettingsRow> {
  const changes: Partial<SettingsRow> = {};
  if (body.enable_pr_creation !== undefined) changes.enablePrCreation = body.enable_pr_creation;
  if (body.enable_rules_detection !== undefined) changes.enableRulesDetection = body.enable_rules_detection;
  if (body.require_wall !== undefined) changes.requireWall = body.require_wall;
  if (body.name !== undefined) changes.name = body.name.trim();
  if (body.rules !== undefined) changes.rules = rulesOrNull(body.rules);
  if (body.default_agent !== undefined) changes.defaultAgent = body.default_agent;
  if (body.default_model !== undefined) changes.defaultModel = body.default_model;
  if (body.default_permission_mode !== undefined) changes.defaultPermissionMode = body.default_permission_mode;
  if (body.default_turn_timeout_s !== undefined) changes.defaultTurnTimeoutS = body.default_turn_timeout_s;
  if (body.keep_runs_days !== undefined) changes.keepRunsDays = body.keep_runs_days;
  if (body.keep_runs_gb !== undefined) changes.keepRunsGb = body.keep_runs_gb;
  if (body.keep_checkouts_days !== undefined) changes.keepCheckoutsDays = body.keep_checkouts_days;
  return changes;
}

function presentSettings(row: SettingsRow): OrganizationSettings {
  return {
    enable_pr_creation: row.enablePrCreation,
    enable_rules_detection: row.enableRulesDetection,
    require_wall: row.requireWall,
    name: row.name,
    rules: row.rules,
    default_agent: row.defaultAgent,
    default_model: row.defaultModel,
    default_models: row.defaultModels,
    default_modes: row.defaultModes,
    default_permission_mode: row.defaultPermissionMode,
    default_turn_timeout_s: row.defaultTurnTimeoutS,
    keep_runs_days: row.keepRunsDays,
    keep_runs_gb: row.keepRunsGb,
    keep_checkouts_days: row.keepCheckoutsDays,
  };
}
