import assert from "node:assert/strict";
import { test } from "node:test";
import { editedOf } from "#components/form/merged.ts";
import type { OrganizationSettings } from "#lib/contract/people/organization-settings.ts";
import { type KeepDraft, keepDraftOf, limitsOf, wordsOfChanges } from "./keep-draft.ts";

const settings = { keep_runs_days: null, keep_runs_gb: 2.5, keep_checkouts_days: 30 } as OrganizationSettings;

const changesOf = (...[runsDays, runsGb, checkoutsDays]: [string, string, string]) => {
  const draft: KeepDraft = { keep_runs_days: runsDays, keep_runs_gb: runsGb, keep_checkouts_days: checkoutsDays };
  return editedOf(limitsOf(draft), limitsOf(keepDraftOf(settings)));
};

test("an empty field means no limit, and only differences are changes", () => {
  assert.deepEqual(Object.values(keepDraftOf(settings)), ["", "2.5", "30"]);
  assert.deepEqual(changesOf("", "2.5", "30"), {});
  assert.deepEqual(changesOf(" 90 ", "2,5", ""), { keep_runs_days: 90, keep_checkouts_days: null });
});

test("a field that is not a number is a change without a value", () => {
  assert.deepEqual(changesOf("soon", "1 GB", "7"), {
    keep_runs_days: undefined,
    keep_runs_gb: undefined,
    keep_checkouts_days: 7,
  });
});

test("a thousands separator is not read as a decimal one", () => {
  for (const text of ["1,000", "1.000"]) {
    assert.deepEqual(changesOf(text, "1,500", text), {
      keep_runs_days: undefined,
      keep_runs_gb: undefined,
      keep_checkouts_days: undefined,
    });
  }
});

test("changes are put in words with the numbers that are saved", () => {
  assert.equal(
    wordsOfChanges({ keep_runs_days: 1000, keep_runs_gb: 1.5, keep_checkouts_days: null }),
    "Delete runs after: 1,000 days. Keep logs up to: 1.5 GB. Remove checkouts after: never.",
  );
});
