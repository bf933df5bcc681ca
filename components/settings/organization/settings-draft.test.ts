import assert from "node:assert/strict";
import { test } from "node:test";
import { unsavedOf } from "#components/page/edits.ts";
import { changesOf, draftOf } from "./settings-draft.ts";

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

test("edits made while saving remain to be saved", () => {
  const sent = { name: "Away", rules: "Use spaces." };
  assert.deepEqual(unsavedOf(sent, sent), {});
  assert.deepEqual(unsavedOf({ ...sent, rules: "Use sp", minutes: "" }, sent), { rules: "Use sp", minutes: "" });
});

test("the default agent's own default model is shown, and stays when nothing is changed", () => {
  const own = { ...settings, default_model: null, default_models: { codex: "small", claude: "opus" } };
  assert.equal(draftOf(own).model, "small");
  assert.deepEqual(changesOf(draftOf(own), own), {});
});

test("only changed fields are sent, and emptied ones are cleared", () => {
  const draft = draftOf(settings);
  assert.deepEqual(changesOf(draft, settings), {});
  assert.equal(draft.minutes, "15");
  assert.deepEqual(changesOf({ ...draft, rules: " ", model: "", minutes: "", permissionMode: "ask" }, settings), {
    rules: null,
    default_model: null,
    default_models: { codex: null },
    default_turn_timeout_s: null,
    default_permission_mode: "ask",
  });
  assert.deepEqual(changesOf({ ...draft, minutes: "1.5", rulesDetection: false }, settings), {
    default_turn_timeout_s: 90,
    enable_rules_detection: false,
  });
});
