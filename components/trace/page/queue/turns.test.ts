import assert from "node:assert/strict";
import { test } from "node:test";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { mergeMessages, messagesIn, turnsOf } from "./turns.ts";

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
  const messages = messagesIn([
    message(1, "Fix it", { turn: 1, session: "new" }),
    { ...message(2, null), message_type: "ACTION" },
    message(3, { kind: "interruption", message: "Cancelled." }),
    message(4, "Go on", { turn: 2, session: "resumed" }),
  ]);
  assert.deepEqual(turnsOf(messages, "Fix it"), [
    { turn: 1, seq: 1, title: "Fix it" },
    { turn: 2, seq: 4, title: "Go on" },
  ]);
});

test("messages without a turn number are numbered in order; injected text is neither a turn nor a title", () => {
  const messages = messagesIn([
    message(2, [{ type: "text", text: "<system-reminder>Today is Monday.</system-reminder>Fix it" }]),
    message(5, "<task-notification>Task 3 is done.</task-notification>"),
    message(9, { content: [{ type: "text", text: "Go on" }] }),
  ]);
  assert.deepEqual(turnsOf(messages, "unused"), [
    { turn: 1, seq: 2, title: "Fix it" },
    { turn: 2, seq: 9, title: "Go on" },
  ]);
});

test("a message known twice is listed once, and the first turn is listed even before its message is known", () => {
  const one = { turn: null, seq: 1, title: "a" };
  const two = { turn: 2, seq: 9, title: "b" };
  assert.deepEqual(mergeMessages([two, one], [two]), [one, two]);
  assert.deepEqual(turnsOf([], "Fix it"), [{ turn: 1, seq: 1, title: "Fix it" }]);
  assert.deepEqual(turnsOf([two], null), [{ turn: 2, seq: two?.seq, title: two?.title }]);
  assert.deepEqual(turnsOf([two], "Fix it"), [
    { turn: 1, seq: 1, title: "Fix it" },
    { turn: 2, seq: 9, title: "b" },
  ]);
});
