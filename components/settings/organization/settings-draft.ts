import type { ChangeSettings, OrganizationSettings } from "#lib/contract/organization-settings.ts";
import type { PermissionMode } from "#lib/contract/run.ts";

/** Form values of the settings: empty text means none. */
export type SettingsDraft = {
  name: string;
  rules: string;
  rulesDetection: boolean;
  prCreation: boolean;
  agent: string;
  model: string;
  permissionMode: PermissionMode | "";
  /** Whole minutes as typed. */
  minutes: string;
};

/** A draft that changes nothing. */
export function draftOf(settings: OrganizationSettings): SettingsDraft {
  return {
    name: settings.name,
    rules: settings.rules ?? "",
    rulesDetection: settings.enable_rules_detection,
    prCreation: settings.enable_pr_creation,
    agent: settings.default_agent ?? "",
    model: settings.default_model ?? settings.default_models[settings.default_agent ?? ""] ?? "",
    permissionMode: settings.default_permission_mode ?? "",
    minutes: settings.default_turn_timeout_s === null ? "" : String(settings.default_turn_timeout_s / 60),
  };
}

/** Changed fields. Only these are sent, so that another person's simultaneous changes stay. */
export function changesOf(draft: SettingsDraft, settings: OrganizationSettings): ChangeSettings {
  const before = draftOf(settings);
  const orNull = (text: string) => (text.trim() === "" ? null : text);
  return {
    ...(draft.name !== before.name && { name: draft.name }),
    ...(draft.rules !== before.rules && { rules: orNull(draft.rules) }),
    ...(draft.rulesDetection !== before.rulesDetection && { enable_rules_detection: draft.rulesDetection }),
    ...(draft.prCreation !== before.prCreation && { enable_pr_creation: draft.prCreation }),
    ...(draft.agent !== before.agent && { default_agent: orNull(draft.agent) }),
    ...(draft.model !== before.model && {
      default_model: orNull(draft.model),
      // It is the agent's own too, see the Agents page.
      ...(draft.agent !== "" && { default_models: { [draft.agent]: orNull(draft.model) } }),
    }),
    ...(draft.permissionMode !== before.permissionMode && { default_permission_mode: draft.permissionMode || null }),
    ...(draft.minutes !== before.minutes && {
      default_turn_timeout_s: draft.minutes.trim() === "" ? null : Number(draft.minutes) * 60,
    }),
  };
}
