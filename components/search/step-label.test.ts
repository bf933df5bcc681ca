import assert from "node:assert/strict";
import { test } from "node:test";
import { stepLabelOf } from "./step-label.ts";

const labelOf = (message_type: string, snippet = "", tool_name: string | null = null) =>
  stepLabelOf({
    seq: 1,
    message_type,
    tool_name,
    field: "thought",
    snippet,
    snippet_start: 0,
    snippet_length: 0,
    matches: 1,
  });

test("a step in the search results has the same label as in its run", () => {
  assert.equal(labelOf("ACTION", "", "shell"), "shell");
  assert.equal(labelOf("PLAN_EVALUATION", "I look at the lease"), "Thought");
  assert.equal(labelOf("PLAN_EVALUATION", "the lease\n- [ ] test it"), "Plan");
  assert.equal(labelOf("FINAL_ANSWER"), "Answer");
  assert.equal(labelOf("NEW_KIND"), "New kind");
});
