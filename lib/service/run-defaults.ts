import { ApiError, invalidField } from "#lib/contract/error.ts";
import type { ChangeSettings } from "#lib/contract/people/organization-settings.ts";
import { builtInAgent } from "#lib/contract/runs/agent-ids.ts";
import type { CreateRun, PermissionMode } from "#lib/contract/runs/run.ts";
import { parsePrompt } from "#lib/entry/prompt-steps.ts";
import type { SettingsRow } from "#lib/store/people/organization-settings.ts";
import type { Store } from "#lib/store/store.ts";
import { checkMode, checkModel, chooseRunAgent } from "./choose-agent.ts";
import { defaultModelOf, defaultModeOf } from "./default-model.ts";
import { organizationAgents } from "./organization-agents.ts";

/** Agent and settings of a new run. `turnTimeoutS` null: only the service's own limit. */
export type RunChoice = {
  agent: string;
  model: string | null;
  permissionMode: PermissionMode;
  mode: string | null;
  turnTimeoutS: number | null;
  /** Why it is not the preferred agent, in sentences; null if it is. */
  missed: string | null;
};

type Wanted = Pick<CreateRun, "agent" | "agent_type" | "model" | "permission_mode" | "mode" | "turn_timeout_s"> & {
  /** Null: not checked. */
  prompt: string | null;
};

/**
 * Combines the request with the organization's defaults: the default agent if it is ready, and for that agent the
 * default model. Throws 400 if the agent cannot be used, takes no model although one is named, or has no such mode, and 409
 * `no_agent_ready` if only the built-in agent is left, which nobody asked for, and the prompt has no step that it could run.
 */
export async function chooseForRun(wanted: Wanted, organizationId: number, store: Store): Promise<RunChoice> {
  const settings = await store.settings.get(organizationId);
  const standard = settings.defaultAgent ?? (await firstUsable(organizationId, store));
  const { agent, model, missed } = await chooseRunAgent(wanted, store, standard);
  if (
    agent === builtInAgent &&
    wanted.agent == null &&
    settings.defaultAgent !== builtInAgent &&
    wanted.prompt !== null
  ) {
    await refuseWithoutAgent(wanted.prompt, store);
  }
  const permissionMode = wanted.permission_mode ?? settings.defaultPermissionMode ?? "auto";
  // Like the model, it was named for the preferred agent.
  const named = missed === null ? (wanted.mode ?? null) : null;
  if (named !== null) await checkMode(agent, named, permissionMode, store);
  return {
    agent,
    missed,
    model: model ?? (await defaultModel(agent, settings, store)),
    permissionMode,
    mode: named ?? (permissionMode === "auto" ? await defaultMode(agent, settings, store) : null),
    turnTimeoutS: wanted.turn_timeout_s ?? settings.defaultTurnTimeoutS ?? null,
  };
}

/**
 * Throws 409 `no_agent_ready` if the prompt has no fenced code block that the built-in agent could run: it cannot do what is said in
 * words, and its run would look like a success.
 */
async function refuseWithoutAgent(prompt: string, store: Store): Promise<void> {
  // Before the first engine has checked, nobody knows what is ready.
  const isUnknown = (await store.agents.list()).length === 0;
  if (isUnknown || parsePrompt(prompt).length > 0) return;
  const message =
    "No agent with a model is ready. Set one up in Settings → Agents, or put commands into fenced code blocks, which need no model.";
  throw new ApiError("no_agent_ready", message);
}

/** {@link chooseForRun} for a run that names nothing but its prompt. */
export async function defaultsForRun(
  organizationId: number,
  prompt: string | null,
  store: Store,
): Promise<Omit<RunChoice, "missed">> {
  const { missed: _, ...choice } = await chooseForRun({ prompt }, organizationId, store);
  return choice;
}

/**
 * The first agent that works for the organization without being named: the installation's default, or an earlier one that has a
 * key here.
 */
async function firstUsable(organizationId: number, store: Store): Promise<string | null> {
  return (await organizationAgents(store, organizationId)).find(({ is_default }) => is_default)?.id ?? null;
}

async function defaultModel(agent: string, settings: SettingsRow, store: Store): Promise<string | null> {
  const model = defaultModelOf(agent, settings);
  if (model === null) return null;
  const found = (await store.agents.list()).find(({ id }) => id === agent);
  return found?.has_model === true ? model : null;
}

/** The organization's mode for the agent, unless it announces others by now. */
async function defaultMode(agent: string, settings: SettingsRow, store: Store): Promise<string | null> {
  const mode = defaultModeOf(agent, settings);
  if (mode === null) return null;
  const found = (await store.agents.list()).find(({ id }) => id === agent);
  const known = found?.announced?.modes;
  return found?.has_model === true && (known === undefined || known.some(({ id }) => id === mode)) ? mode : null;
}

/**
 * Refuses defaults no run could use: an unknown agent, a model without an agent, or one for an agent that takes none.
 * Checks only what is given now: an agent that has since disappeared must not block other changes.
 */
export async function checkDefaults(
  given: Pick<ChangeSettings, "default_agent" | "default_model" | "default_models" | "default_modes">,
  { defaultAgent, defaultModel }: SettingsRow,
  store: Store,
): Promise<void> {
  if (given.default_agent != null) {
    const agents = await store.agents.list();
    if (given.default_agent !== builtInAgent && !agents.some(({ id }) => id === given.default_agent)) {
      const known = agents.length === 0 ? builtInAgent : agents.map(({ id }) => id).join(", ");
      throw invalidField(["default_agent"], `there is no agent "${given.default_agent}"; choose one of: ${known}`);
    }
  }
  for (const [agent, model] of Object.entries(given.default_models ?? {})) {
    // One can be removed from an agent that is gone.
    if (model === null) continue;
    await checkAgent(agent, "default_models", store);
    await checkModel(agent, model, store, "default_models");
  }
  for (const [agent, mode] of Object.entries(given.default_modes ?? {})) {
    if (mode === null) continue;
    await checkAgent(agent, "default_modes", store);
    await checkMode(agent, mode, "auto", store, ["default_modes", agent]);
  }
  if (given.default_agent === undefined && given.default_model === undefined) return;
  if (defaultModel === null) return;
  if (defaultAgent === null) throw invalidField(["default_model"], "needs a default_agent that uses it");
  await checkModel(defaultAgent, defaultModel, store, "default_model");
}

async function checkAgent(agent: string, field: "default_models" | "default_modes", store: Store): Promise<void> {
  const agents = await store.agents.list();
  if (agents.some(({ id }) => id === agent)) return;
  const known = agents.filter(({ has_model }) => has_model).map(({ id }) => id);
  throw invalidField([field, agent], `there is no agent "${agent}"; choose from: ${known.join(", ")}`);
}
