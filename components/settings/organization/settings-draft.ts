import type { OrganizationSettings } from "#lib/contract/people/organization-settings.ts";
import type { PermissionMode } from "#lib/contract/runs/run.ts";

/** Form values of the settings, by the API's names: empty text means none, and the time limit is in minutes. */
export type SettingsDraft = {
  name: string;
  rules: string;
  enable_rules_detection: boolean;
  enable_pr_creation: boolean;
  default_agent: string;
  default_model: string;
  default_permission_mode: PermissionMode | "";
  default_turn_timeout_s: string;
};

/** A draft that changes nothing. */
export function draftOf(settings: OrganizationSettings): SettingsDraft {
  const { default_agent, default_model, default_models, default_turn_timeout_s } = settings;
  return {
    name: settings.name,
    rules: settings.rules ?? "",
    enable_rules_detection: settings.enable_rules_detection,
    enable_pr_creation: settings.enable_pr_creation,
    default_agent: default_agent ?? "",
    default_model: default_model ?? default_models[default_agent ?? ""] ?? "",
    default_permission_mode: settings.default_permission_mode ?? "",
    default_turn_timeout_s: default_turn_timeout_s === null ? "" : String(default_turn_timeout_s / 60),
  };
}

/** The settings of a draft. Its model is the agent's own too, see the Agents page. */
export function settingsOf(draft: SettingsDraft) {
  const orNull = (text: string) => (text.trim() === "" ? null : text);
  const minutes = orNull(draft.default_turn_timeout_s);
  const default_model = orNull(draft.default_model);
  return {
    ...draft,
    rules: orNull(draft.rules),
    default_agent: orNull(draft.default_agent),
    default_model,
    default_models: draft.default_agent === "" ? {} : { [draft.default_agent]: default_model },
    default_permission_mode: draft.default_permission_mode || null,
    default_turn_timeout_s: minutes === null ? null : Number(minutes) * 60,
  };
}
