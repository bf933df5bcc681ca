import assert from "node:assert/strict";
import { test } from "node:test";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { joinedLinkOf } from "./joined-link.ts";

const entry = (seq: number, more: Partial<LogEntry>): LogEntry => ({
  agent_run_id: 1,
  seq,
  created_at: "2026-01-01T00:00:00.000Z",
  message_type: "ACTION",
  thought: null,
  tool_name: "Task",
  tool_input: { description: "Look", prompt: "Look around" },
  tool_output: { status: "completed" },
  observation: null,
  ...more,
});
const link = (seq: number) =>
  entry(seq, { message_type: "AGENT_RUN_LINK", tool_name: null, observation: { run_id: 7 } });

test("a link joins the agent call that it directly follows, and nothing else", () => {
  assert.equal(joinedLinkOf(entry(3, {}), link(4))?.seq, 4);
  assert.equal(joinedLinkOf(entry(3, {}), link(5)), null);
  assert.equal(joinedLinkOf(entry(3, { tool_name: "Bash", tool_input: { command: "ls" } }), link(4)), null);
  assert.equal(joinedLinkOf(entry(3, {}), entry(4, {})), null);
  assert.equal(joinedLinkOf(null, link(4)), null);
  assert.equal(joinedLinkOf(entry(3, {}), null), null);
});
