import assert from "node:assert/strict";
import { test } from "node:test";
import { failedTurnsWords, reportedNothing, usageWords } from "./usage-words.ts";

const run = { agent: "gemini", status: "completed", tokens: null, cost_usd: null } as const;

test("usage that an agent has not reported is named as such, and is neither 0 nor left out", () => {
  assert.deepEqual(usageWords(run), ["Tokens not reported", "Cost not reported"]);
  assert.deepEqual(usageWords({ ...run, status: "running" }), [
    "Tokens not reported so far",
    "Cost not reported so far",
  ]);
  assert.deepEqual([reportedNothing(run), reportedNothing({ ...run, status: "running" })], [true, false]);
});

test("a cancelled run with a cost has no 0 tokens, and its cost is rounded", () => {
  const cancelled = { ...run, status: "cancelled", cost_usd: 0.06026999999999999 } as const;
  assert.deepEqual(usageWords(cancelled), ["Tokens not reported", "$0.06"]);
  assert.equal(reportedNothing(cancelled), false);
});

test("reported figures are shown, and an agent without a model has nothing to report", () => {
  const tokens = { input: 12_345, output: 67, total: 12_412 };
  assert.deepEqual(usageWords({ ...run, tokens }), ["12,345 tokens in, 67 out", "Cost not reported"]);
  assert.deepEqual(usageWords({ ...run, agent: "steps" }), []);
  assert.equal(reportedNothing({ ...run, agent: "setup" }), false);
  assert.deepEqual(usageWords(run, false), [], "a share link may hide them");
});

test("a failed turn is said although the run was continued and completed; a run of one turn has it in its status", () => {
  assert.equal(failedTurnsWords({ failed_turns: 1, turns: 3, queued_turns: 1 }), "1 of 2 turns failed");
  assert.equal(failedTurnsWords({ failed_turns: 1, turns: 2, queued_turns: 1 }), null);
  assert.equal(failedTurnsWords({ failed_turns: 0, turns: 2, queued_turns: 0 }), null);
});
