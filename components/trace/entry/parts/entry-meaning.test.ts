import assert from "node:assert/strict";
import { test } from "node:test";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { entryResult } from "./entry-meaning.ts";

const call = (tool_output: object): LogEntry => ({
  agent_run_id: 1,
  seq: 1,
  created_at: "2026-01-01T00:00:00.000Z",
  message_type: "ACTION",
  tool_name: "shell",
  tool_input: { command: "make" },
  tool_output,
  thought: null,
  observation: null,
  tool_call_id: null,
});
const shown = (status: string, output: string) => entryResult(call({ status, output })).output;

test("an output that only repeats the outcome of its call is hidden, any other is shown", () => {
  assert.equal(shown("cancelled", "cancelled"), null);
  assert.equal(shown("rejected", "Not run: permission was rejected."), null);
  assert.equal(shown("completed", "cancelled"), "cancelled", "the words of a program");
  assert.equal(shown("cancelled", "one\ncancelled"), "one\ncancelled");
  assert.equal(
    shown("rejected", "Not run: the session is in the read-only mode."),
    "Not run: the session is in the read-only mode.",
  );
});
