import assert from "node:assert/strict";
import { test } from "node:test";
import { record } from "./recorder-under-test.fixture.ts";

test("each change of a plan is one checklist entry, not an action", () => {
  const run = record();
  const entries = [
    { content: "Look\n around", status: "completed", priority: "high" },
    { content: "Fix", status: "in_progress", priority: "low" },
    { content: "Test", status: "pending", priority: "low" },
  ];
  run.update({ sessionUpdate: "plan", entries });
  run.update({ sessionUpdate: "plan", entries });
  assert.deepEqual(
    run.entries.map((entry) => [entry.message_type, entry.thought]),
    [["PLAN_EVALUATION", "- [x] Look around\n- [ ] Fix (in progress)\n- [ ] Test"]],
  );
});

test("calls of tools that write the plan are plans, under all their names and shapes", () => {
  for (const [name, rawInput] of [
    ["TodoWrite", { todos: [{ content: "A", status: "completed", activeForm: "Doing A" }] }],
    ["todowrite", { todos: [{ content: "A", status: "completed" }] }],
    ["update_plan", { explanation: "why", plan: [{ step: "A", status: "completed" }] }],
    ["write_todos", { todos: [{ description: "A", status: "completed" }] }],
  ] as const) {
    const run = record();
    run.say("Let me plan.");
    run.call({ name, rawInput, toolCallId: "plan 1" });
    run.change({ status: "completed", toolCallId: "plan 1" });
    run.say("The answer.");
    assert.equal(run.complete(), "The answer.");
    assert.deepEqual(
      run.entries.map((entry) => [entry.message_type, entry.thought, entry.tool_call_id]),
      [
        ["PLAN_EVALUATION", "- [x] A", "plan 1"],
        ["FINAL_ANSWER", "Let me plan.", undefined],
      ],
      name,
    );
  }
});

test("a plan tool that failed or has no items is an action", () => {
  const run = record();
  run.call({ name: "TodoWrite", rawInput: { todos: [{ content: "A" }] }, status: "failed" });
  run.call({ toolCallId: "write_todos__1", status: "completed" });
  assert.deepEqual(
    run.entries.map((entry) => entry.message_type),
    ["ACTION", "ACTION"],
  );
});
