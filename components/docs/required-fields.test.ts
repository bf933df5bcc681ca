import assert from "node:assert/strict";
import { test } from "node:test";
import { requiredFields } from "./required-fields.ts";

test("the documentation names the fields without which an entry of a type is refused", () => {
  const named = ["ACTION", "PLAN_EVALUATION", "FINAL_ANSWER", "ERROR", "USER_MESSAGE"].map(requiredFields);
  assert.deepEqual(named, [
    ["tool_name", "tool_input", "tool_output"],
    ["thought"],
    ["observation"],
    ["observation"],
    [],
  ]);
});
