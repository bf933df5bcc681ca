import assert from "node:assert/strict";
import { test } from "node:test";
import type { PullRequest } from "#lib/contract/runs/pull-request.ts";
import { pullWords } from "./pull-words.ts";

const open: PullRequest = {
  id: 1,
  agent_run_id: 7,
  number: 12,
  url: "https://git.test/acme/shop/pull/12",
  title: "Greet",
  state: "open",
  draft: true,
  stage: null,
  verdict: null,
  reason: null,
  round: 0,
  rounds_max: 3,
  checks: null,
  head_branch: "errand/run-7",
  commit: "a".repeat(40),
  base_branch: "main",
  error: null,
  created_at: "2026-01-01T00:00:00.000Z",
  opened_at: "2026-01-01T00:00:00.000Z",
  closed_at: null,
};
const checks = (passed: number, failed: number, pending: number) => ({ passed, failed, pending, failing: [] });
const gone = { code: "unfit", message: "a.txt: it contains what looks like a key.", hint: null };

const pushed = { number: null, state: "pushed" } as const;
const cases: [what: string, changes: Partial<PullRequest>, words: string, tone: string][] = [
  ["opened", {}, "#12 · Draft", "outline"],
  ["not begun", { number: null, state: "opening", stage: "pushing" }, "Pull request · Pushing the branch", "running"],
  [
    "watched",
    { stage: "checking", round: 1, checks: checks(1, 0, 1) },
    "#12 · Waiting for checks, round 1 of 3 · 1 of 2 checks passed",
    "running",
  ],
  [
    "red while others run",
    { stage: "checking", checks: checks(1, 1, 1) },
    "#12 · Waiting for checks · 1 of 3 checks failed",
    "failed",
  ],
  [
    "fixed",
    { stage: "fixing", round: 2, checks: checks(0, 1, 0) },
    "#12 · Fixing failed checks, round 2 of 3 · 1 of 1 check failed",
    "failed",
  ],
  [
    "green",
    { draft: false, verdict: "green", checks: checks(2, 0, 0) },
    "#12 · Open · all 2 checks passed",
    "completed",
  ],
  ["one check", { verdict: "green", checks: checks(1, 0, 0) }, "#12 · Draft · check passed", "completed"],
  ["red", { verdict: "red", checks: checks(0, 2, 0) }, "#12 · Draft · 2 of 2 checks failed", "failed"],
  [
    "given up",
    { verdict: "gave_up", checks: checks(1, 1, 0) },
    "#12 · Draft · 1 of 2 checks failed · checks still fail, no rounds left",
    "failed",
  ],
  ["without checks", { verdict: "no_checks", checks: checks(0, 0, 0) }, "#12 · Draft · no checks", "outline"],
  ["rewritten", { verdict: "diverged" }, "#12 · Draft · branch changed by someone else", "waiting"],
  ["merged", { state: "merged", verdict: "merged", checks: checks(1, 0, 0) }, "#12 · Merged", "completed"],
  ["closed", { state: "closed", verdict: "closed", checks: checks(0, 1, 0) }, "#12 · Closed", "outline"],
  ["pushed", { number: null, state: "pushed", verdict: "no_checks" }, "Branch pushed", "outline"],
  [
    "pushed, green",
    { ...pushed, verdict: "green", checks: checks(1, 0, 0) },
    "Branch pushed · Check passed",
    "outline",
  ],
  [
    "pushed, then nothing changed",
    { ...pushed, verdict: "no_progress", checks: checks(0, 1, 0) },
    "Branch pushed · 1 of 1 check failed · no progress, checks still fail",
    "failed",
  ],
  [
    "pushed, then refused",
    { ...pushed, verdict: "no_checks", error: gone },
    "Branch pushed · Last push failed",
    "failed",
  ],
  ["failed", { number: null, state: "failed", error: gone }, "Pull request · Not opened", "failed"],
  [
    "refused",
    { number: null, state: "failed", verdict: "refused", error: gone },
    "Pull request · Not opened · not pushed: the commits failed Errand's checks",
    "failed",
  ],
  ["failed later", { error: gone }, "#12 · Draft · last push failed", "failed"],
  ["cancelled", { number: null, state: "opening" }, "Pull request · Not opened", "outline"],
];

for (const [what, changes, words, tone] of cases) {
  test(`a pull request in words: ${what}`, () => {
    const { name, facts, tone: shown } = pullWords({ ...open, ...changes });
    assert.deepEqual([[name, ...facts].join(" · "), shown], [words, tone]);
  });
}
