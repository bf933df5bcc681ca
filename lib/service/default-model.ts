import type { SettingsRow } from "#lib/store/organization-settings.ts";

/** The organization's model for runs of an agent that name none; null: the agent chooses. */
export function defaultModelOf(
  agent: string,
  { defaultAgent, defaultModel, defaultModels }: Pick<SettingsRow, "defaultAgent" | "defaultModel" | "defaultModels">,
): string | null {
  const own = Object.hasOwn(defaultModels, agent) ? (defaultModels[agent] ?? null) : null;
  return (agent === defaultAgent ? defaultModel : null) ?? own;
}
