import assert from "node:assert/strict";
import { test } from "node:test";
import { agentAnswersOf } from "./agent-answers.ts";

test("the answers of agents that a call waited for are read by agent, in their order", () => {
  const status = { "019d-a": { completed: "## Findings" }, "019d-b": "running", "019d-c": { errored: null } };
  assert.deepEqual(agentAnswersOf({ status, timed_out: false }), [
    { agent: "019d-a", state: "completed", text: "## Findings" },
    { agent: "019d-b", state: "running", text: "" },
    { agent: "019d-c", state: "errored", text: "" },
  ]);
});

test("a status word, or no result, is no answer of an agent", () => {
  for (const output of [{ status: "completed" }, {}, null, "text", []]) assert.deepEqual(agentAnswersOf(output), []);
});
