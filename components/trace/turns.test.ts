import assert from "node:assert/strict";
import { test } from "node:test";
import type { LogEntry } from "#lib/contract/entry.ts";
import { mergeTurns, turnsIn } from "./turns.ts";

const message = (seq: number, observation: unknown, tool_input: unknown = null): LogEntry => ({
  agent_run_id: 1,
  seq,
  created_at: "2026-01-01T00:00:00.000Z",
  message_type: "USER_MESSAGE",
  thought: null,
  tool_name: null,
  tool_input,
  tool_output: null,
  observation,
});

test("turns begin with a person's message, not with an interruption", () => {
  const turns = turnsIn([
    message(1, "Fix it", { turn: 1, session: "new" }),
    { ...message(2, null), message_type: "ACTION" },
    message(3, { kind: "interruption", message: "Cancelled." }),
    message(4, "Go on", { turn: 2, session: "resumed" }),
  ]);
  assert.deepEqual(turns, [
    { turn: 1, seq: 1, title: "Fix it" },
    { turn: 2, seq: 4, title: "Go on" },
  ]);
});

test("a turn that is known twice is listed once", () => {
  const [one, two] = [
    { turn: 1, seq: 1, title: "a" },
    { turn: 2, seq: 9, title: "b" },
  ];
  assert.deepEqual(mergeTurns([two, one], [two]), [one, two]);
});
