import assert from "node:assert/strict";
import { test } from "node:test";
import { kindOf } from "./entry-blocks.ts";

test("the stored codes of the message types never change", () => {
  const stored = {
    ...{ ACTION: "a", PLAN_EVALUATION: "b", FINAL_ANSWER: "c", ERROR: "d", USER_MESSAGE: "e" },
    ...{ USER_GITHUB_ISSUE_COMMENT: "f", INITIAL_PR_GENERATION: "g", DETECT_PR_ERRORS: "h", FIX_PR_ERRORS: "i" },
    ...{ PR_CREATION_FAILED: "j", PR_EVALUATION: "k", COMMIT_EVALUATION: "l", AGENT_RUN_LINK: "m" },
  } as const;
  for (const [type, code] of Object.entries(stored) as [keyof typeof stored, string][]) {
    assert.deepEqual([kindOf(type, false), kindOf(type, true)], [code, code.toUpperCase()], type);
  }
});
