import assert from "node:assert/strict";
import { test } from "node:test";
import { editedOf, merged } from "#components/form/merged.ts";
import type { CheckSuiteSettings } from "#lib/contract/repositories/check-suite.ts";
import { type ChecksDraft, draftOf, problemOf, settingsOf } from "./check-draft.ts";

const settings: CheckSuiteSettings = {
  check_retry_count: 3,
  ignored_checks: ["lint", "__proto__"],
  check_retry_counts: { build: 0, lint: 2 },
  custom_prompts: { build: "Run npm test.\n", constructor: "Ask." },
  high_priority_apps: ["github-actions", "circle ci"],
};

test("a draft keeps all settings, one row for each check", () => {
  const draft = draftOf(settings);
  assert.deepEqual(
    draft.checks.map(({ name, isIgnored, retries, prompt }) => [name, isIgnored, retries, prompt]),
    [
      ["__proto__", true, null, ""],
      ["build", false, 0, "Run npm test.\n"],
      ["constructor", false, null, "Ask."],
      ["lint", true, 2, ""],
    ],
  );
  const sorted = { ...settings, ignored_checks: settings.ignored_checks.toSorted() };
  assert.deepEqual(settingsOf(draft), sorted);
});

test("a row whose content would be lost is not saved", () => {
  const draft = draftOf(settings);
  assert.deepEqual(
    draft.checks.map((check) => problemOf(check, draft)),
    [null, null, null, null],
  );
  const added = { key: "9", name: " build ", isIgnored: true, retries: null, prompt: "" };
  const problems = [added, { ...added, name: " " }, { ...added, name: "new", isIgnored: false, prompt: " " }];
  assert.deepEqual(
    problems.map((check) => problemOf(check, { ...draft, checks: [...draft.checks, check] })),
    [
      "This check is listed twice.",
      "Choose or type the check's name.",
      "Ignore this check, or set its rounds or prompt.",
    ],
  );
});

test("apps have one line each, and blank lines are ignored", () => {
  assert.deepEqual(settingsOf({ ...draftOf(settings), high_priority_apps: "\n a b \n\nc\n" }).high_priority_apps, [
    "a b",
    "c",
  ]);
});

test("only what was changed is sent", () => {
  const draft = draftOf(settings);
  const changesOf = (edited: ChecksDraft) => editedOf(settingsOf(edited), settingsOf(draft));
  assert.deepEqual(changesOf(draft), {});
  assert.deepEqual(changesOf({ ...draft, check_retry_count: 1 }), { check_retry_count: 1 });
  const checks = draft.checks.map((check) => (check.name === "build" ? { ...check, retries: 5 } : check));
  assert.deepEqual(changesOf({ ...draft, checks }), { check_retry_counts: { build: 5, lint: 2 } });
  const added = { key: "9", name: "", isIgnored: false, retries: null, prompt: "" };
  assert.notDeepEqual(changesOf({ ...draft, checks: [...draft.checks, added] }), {}, "a new row, which is discarded");
});

test("a check that somebody else set meanwhile keeps its settings beside the edited ones", () => {
  const base = draftOf(settings);
  const now = { ...settings, custom_prompts: { build: "Run make.", e2e: "Wait." } };
  const checks = base.checks.map((check) => (check.name === "build" ? { ...check, retries: 5 } : check));
  const saved = settingsOf(merged({ ...base, checks }, base, draftOf(now)));
  assert.deepEqual(saved.custom_prompts, now.custom_prompts);
  assert.deepEqual(saved.check_retry_counts, { build: 5, lint: 2 });
});
