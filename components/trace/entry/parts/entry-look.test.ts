import assert from "node:assert/strict";
import { test } from "node:test";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { messageTypes } from "#lib/contract/words.ts";
import { entryLookOf, entryNameOf } from "./entry-look.ts";

const entry = (change: Partial<LogEntry>): LogEntry => ({
  agent_run_id: 1,
  seq: 7,
  created_at: "2026-01-01T00:00:00.000Z",
  message_type: "ACTION",
  thought: null,
  tool_name: null,
  tool_input: null,
  tool_output: null,
  observation: null,
  ...change,
});

test("every type of the contract has a name and an icon, and an unknown one too", () => {
  for (const message_type of [...messageTypes, "SOMETHING_NEW", "", "constructor"]) {
    const { label, icon } = entryLookOf(entry({ message_type }));
    assert.notEqual(label, "");
    assert.ok(icon);
  }
  assert.equal(entryLookOf(entry({ message_type: "SOMETHING_NEW" })).label, "Something new");
});

test("a step is named by its tool, its action and its outcome", () => {
  const step = { tool_name: "Bash", tool_input: { command: "node --test" } };
  assert.equal(
    entryNameOf(entry({ ...step, tool_output: { exit_code: 1 } }), 7),
    "Step 7, Bash, node --test, failed, exit 1",
  );
  assert.equal(entryNameOf(entry({ ...step, tool_output: { status: "completed" } }), 7), "Step 7, Bash, node --test");
  assert.equal(entryNameOf(entry({ message_type: "FINAL_ANSWER" }), 7), "Step 7, Answer");
});
