import assert from "node:assert/strict";
import { test } from "node:test";
import type { OrganizationSettings } from "#lib/contract/organization-settings.ts";
import { keepChangesOf, keepDraftOf, wordsOfChanges } from "./keep-draft.ts";

const settings = { keep_runs_days: null, keep_runs_gb: 2.5, keep_checkouts_days: 30 } as OrganizationSettings;

test("an empty field means no limit, and only differences are changes", () => {
  const draft = keepDraftOf(settings);
  assert.deepEqual(draft, { runsDays: "", runsGb: "2.5", checkoutsDays: "30" });
  assert.deepEqual(keepChangesOf(draft, settings), { changes: {}, unreadable: [] });
  assert.deepEqual(keepChangesOf({ runsDays: " 90 ", runsGb: "2,5", checkoutsDays: "" }, settings), {
    changes: { keep_runs_days: 90, keep_checkouts_days: null },
    unreadable: [],
  });
});

test("a field that is not a number is named and not sent", () => {
  assert.deepEqual(keepChangesOf({ runsDays: "soon", runsGb: "1 GB", checkoutsDays: "7" }, settings), {
    changes: { keep_checkouts_days: 7 },
    unreadable: ["runsDays", "runsGb"],
  });
});

test("a thousands separator is not read as a decimal one", () => {
  for (const text of ["1,000", "1.000"]) {
    assert.deepEqual(keepChangesOf({ runsDays: text, runsGb: "1,500", checkoutsDays: text }, settings), {
      changes: {},
      unreadable: ["runsDays", "runsGb", "checkoutsDays"],
    });
  }
});

test("changes are put in words with the numbers that are saved", () => {
  assert.equal(
    wordsOfChanges({ keep_runs_days: 1000, keep_runs_gb: 1.5, keep_checkouts_days: null }),
    "Delete runs after: 1,000 days. Keep logs up to: 1.5 GB. Remove checkouts after: never.",
  );
});
