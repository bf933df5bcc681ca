import assert from "node:assert/strict";
import { test } from "node:test";
import { analysed } from "#lib/analysis/analysed.fixture.ts";

const errors = (code: string) => ({
  message_type: "ERROR",
  observation: { code, message: "403: rate limit exceeded" },
});

test("what Errand could not do besides says nothing about the run: its answer stands, or its own error", () => {
  const answer = { message_type: "FINAL_ANSWER", observation: "Fixed the test." };
  for (const code of ["reply_not_sent", "review_not_requested", "work_left_out", "lfs_not_used"]) {
    const { outcome, causes } = analysed([answer, errors(code)]);
    assert.deepEqual([outcome.verdict, outcome.seq, causes], ["answered", 1, []], code);
    const failed = analysed([errors("agent_failed"), errors(code)], { status: "failed" });
    assert.equal(failed.outcome.seq, 1, code);
  }
  assert.equal(analysed([answer, errors("agent_failed")]).outcome.verdict, "broken");
});
