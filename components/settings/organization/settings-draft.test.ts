import assert from "node:assert/strict";
import { test } from "node:test";
import { editedOf } from "#components/form/merged.ts";
import type { OrganizationSettings } from "#lib/contract/people/organization-settings.ts";
import { draftOf, type SettingsDraft, settingsOf } from "./settings-draft.ts";

const settings = {
  name: "Home",
  rules: "Use tabs.",
  enable_pr_creation: true,
  enable_rules_detection: true,
  require_wall: false,
  default_agent: "codex",
  default_model: "large",
  default_models: {},
  default_modes: {},
  default_permission_mode: null,
  default_turn_timeout_s: 900,
  keep_runs_days: null,
  keep_runs_gb: null,
  keep_checkouts_days: 30,
};

const changesOf = (draft: SettingsDraft, before: OrganizationSettings) =>
  editedOf(settingsOf(draft), settingsOf(draftOf(before)));

test("the default agent's own default model is shown, and stays when nothing is changed", () => {
  const own = { ...settings, default_model: null, default_models: { codex: "small", claude: "opus" } };
  assert.equal(draftOf(own).default_model, "small");
  assert.deepEqual(changesOf(draftOf(own), own), {});
});

test("only changed fields are sent, and emptied ones are cleared", () => {
  const draft = draftOf(settings);
  assert.deepEqual(changesOf(draft, settings), {});
  assert.equal(draft.default_turn_timeout_s, "15");
  const edited: SettingsDraft = {
    ...{ ...draft, rules: " ", default_model: "", default_turn_timeout_s: "" },
    default_permission_mode: "ask",
  };
  assert.deepEqual(changesOf(edited, settings), {
    rules: null,
    default_model: null,
    default_models: { codex: null },
    default_turn_timeout_s: null,
    default_permission_mode: "ask",
  });
  assert.deepEqual(changesOf({ ...draft, default_turn_timeout_s: "1.5", enable_rules_detection: false }, settings), {
    default_turn_timeout_s: 90,
    enable_rules_detection: false,
  });
});
