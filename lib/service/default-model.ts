import type { SettingsRow } from "#lib/store/people/organization-settings.ts";

/** The organization's model for runs of an agent that name none; null: the agent chooses. */
export function defaultModelOf(
  agent: string,
  { defaultAgent, defaultModel, defaultModels }: Pick<SettingsRow, "defaultAgent" | "defaultModel" | "defaultModels">,
): string | null {
  return (agent === defaultAgent ? defaultModel : null) ?? own(defaultModels, agent);
}

/** The organization's mode for runs of an agent that name none; null: Errand sets it. */
export function defaultModeOf(agent: string, { defaultModes }: Pick<SettingsRow, "defaultModes">): string | null {
  return own(defaultModes, agent);
}

function own(values: Record<string, string>, agent: string): string | null {
  return Object.hasOwn(values, agent) ? (values[agent] ?? null) : null;
}
