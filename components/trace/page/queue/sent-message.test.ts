import assert from "node:assert/strict";
import { test } from "node:test";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import type { QueuedTurn } from "#lib/contract/runs/run-queue.ts";
import { hasArrived, type Seen } from "./sent-message.ts";

const sent = { prompt: "Go on\n", after: 7 };
const nowhere: Seen = { items: [], starting: null, recent: [], totalLogs: 7 };
const turn = (prompt: string) => ({ number: 2, prompt }) as QueuedTurn;
const message = (seq: number, text: string) =>
  ({ seq, message_type: "USER_MESSAGE", observation: text, tool_input: { turn: 2 } }) as unknown as LogEntry;

test("a sent message has arrived when it is in the queue or in the log", () => {
  assert.equal(hasArrived(sent, nowhere), false);
  assert.equal(hasArrived(sent, { ...nowhere, items: [turn("Something else")] }), false);
  assert.equal(hasArrived(sent, { ...nowhere, items: [turn("Go on")] }), true);
  assert.equal(hasArrived(sent, { ...nowhere, starting: turn("Go on") }), true);
  assert.equal(hasArrived(sent, { ...nowhere, totalLogs: 8, recent: [message(8, "Go on")] }), true);
});

test("an earlier message with the same words is not the one that was sent", () => {
  assert.equal(hasArrived(sent, { ...nowhere, recent: [message(3, "Go on")] }), false);
});

test("a message counts as arrived once the run is well past it", () => {
  assert.equal(hasArrived(sent, { ...nowhere, totalLogs: 107 }), false);
  assert.equal(hasArrived(sent, { ...nowhere, totalLogs: 108 }), true);
});
