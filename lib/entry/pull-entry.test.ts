import assert from "node:assert/strict";
import { test } from "node:test";
import { pullEntryOf, pullHeadline } from "./pull-entry.ts";

const check = {
  name: "build",
  status: "completed",
  conclusion: "failure",
  url: "https://git.test/1",
  duration_ms: 900,
};
const cases: [message_type: string, observation: unknown, headline: string | null][] = [
  ["COMMIT_EVALUATION", { verdict: "fit", commit: "abc", files: 1, findings: [] }, "Ready to push"],
  ["COMMIT_EVALUATION", { verdict: "refused", findings: [{ path: "a", detail: "a key" }] }, "Not ready to push"],
  ["COMMIT_EVALUATION", { verdict: "empty", commit: null, findings: [] }, "Nothing new to push"],
  ["INITIAL_PR_GENERATION", { number: 12, title: "Greet", draft: true, reused: false }, "Opened #12 as a draft"],
  ["INITIAL_PR_GENERATION", { number: 12, title: "Greet", draft: false, reused: true }, "Found #12"],
  ["PR_CREATION_FAILED", { code: "scope", message: "Not allowed\nat all", hint: null }, "Not allowed"],
  ["DETECT_PR_ERRORS", { round: 0, checks: [check, { name: "lint" }], failing: ["build"] }, "1 of 2 checks failed"],
  ["DETECT_PR_ERRORS", { round: 0, checks: [check], failing: [] }, "1 check passed"],
  [
    "DETECT_PR_ERRORS",
    { round: 0, checks: [{ name: "test", conclusion: "cancelled" }], failing: [] },
    "1 of 1 check cancelled",
  ],
  ["DETECT_PR_ERRORS", { round: 0, checks: [], failing: [] }, "The code host runs none"],
  ["FIX_PR_ERRORS", { round: 1, of: 3, failing: ["build", "lint"], turn: null }, "Round 1 of 3: build, lint"],
  ["PR_EVALUATION", { verdict: "gave_up", reason: "x" }, "Checks still fail, no rounds left"],
  ["PR_EVALUATION", { verdict: "new_word" }, "new word"],
  ["USER_GITHUB_ISSUE_COMMENT", { author: "ada", kind: "pull", body: "Look" }, "@ada in a pull request"],
  // External systems report what they like.
  ["PR_EVALUATION", "all is well", null],
  ["DETECT_PR_ERRORS", { checks: "none" }, null],
  ["INITIAL_PR_GENERATION", { number: "12", title: "x" }, null],
  ["FIX_PR_ERRORS", null, null],
  ["FINAL_ANSWER", { verdict: "green" }, null],
  ["toString", { verdict: "green" }, null],
];

for (const [message_type, observation, headline] of cases) {
  test(`${message_type} ${JSON.stringify(observation)} reads: ${headline}`, () => {
    const entry = pullEntryOf({ message_type, observation });
    assert.equal(entry === null ? null : pullHeadline(entry), headline);
  });
}

test("each finding says whether it refuses; in an entry of an earlier version its rule and the verdict do", () => {
  const finding = { rule: "secret", path: "a.txt", line: 1, detail: "a key" };
  const reported = { rule: "tests_deleted", path: "b.test.ts", detail: "deleted" };
  const read = (verdict: string, findings: object[]) => {
    const entry = pullEntryOf({ message_type: "COMMIT_EVALUATION", observation: { verdict, findings } });
    assert.ok(entry?.kind === "commits");
    return entry.findings.map(({ path, refuses }) => [path, refuses]);
  };
  const told = [
    { ...finding, refuses: true },
    { ...reported, refuses: false },
  ];
  assert.deepEqual(read("refused", told), [
    ["a.txt", true],
    ["b.test.ts", false],
  ]);
  assert.deepEqual(read("fit", [reported]), [["b.test.ts", false]]);
  assert.deepEqual(read("refused", [finding, reported]), [
    ["a.txt", true],
    ["b.test.ts", false],
  ]);
});

test("checks keep their messages, and invalid addresses are left out", () => {
  const annotations = [{ path: "a.ts", line: 3, level: "failure", message: "no" }, { path: "b.ts" }, 7];
  const checks = [
    { ...check, annotations, excerpt: "boom" },
    { name: "lint", url: "javascript:alert(1)" },
    { url: "x" },
    null,
  ];
  const entry = pullEntryOf({ message_type: "DETECT_PR_ERRORS", observation: { checks, failing: ["build", 4] } });
  assert.ok(entry?.kind === "checks");
  assert.deepEqual(entry.failing, ["build"]);
  assert.deepEqual(entry.checks, [
    {
      ...{ name: "build", conclusion: "failure", url: "https://git.test/1", durationMs: 900, excerpt: "boom" },
      annotations: [{ path: "a.ts", line: 3, message: "no" }],
    },
    { name: "lint", conclusion: null, url: null, durationMs: null, annotations: [], excerpt: null },
  ]);
});
