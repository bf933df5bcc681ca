import assert from "node:assert/strict";
import { test } from "node:test";
import type { LogEntry } from "#lib/contract/entry.ts";
import type { QueuedTurn } from "#lib/contract/run-queue.ts";
import { isOnItsWay, type Seen } from "./sent-message.ts";

const sent = { prompt: "Go on\n", after: 7 };
const nowhere: Seen = { items: [], starting: null, recent: [], totalLogs: 7, isLive: true };
const turn = (prompt: string) => ({ number: 2, prompt }) as QueuedTurn;
const message = (seq: number, text: string) =>
  ({ seq, message_type: "USER_MESSAGE", observation: text, tool_input: { turn: 2 } }) as unknown as LogEntry;

test("a message that was sent is shown until it stands in the queue or in the log", () => {
  assert.equal(isOnItsWay(sent, nowhere), true);
  assert.equal(isOnItsWay(sent, { ...nowhere, items: [turn("Something else")] }), true);
  assert.equal(isOnItsWay(sent, { ...nowhere, items: [turn("Go on")] }), false);
  assert.equal(isOnItsWay(sent, { ...nowhere, starting: turn("Go on") }), false);
  assert.equal(isOnItsWay(sent, { ...nowhere, totalLogs: 8, recent: [message(8, "Go on")] }), false);
});

test("an earlier message of the same words is not the one that was sent", () => {
  assert.equal(isOnItsWay(sent, { ...nowhere, recent: [message(3, "Go on")] }), true);
});

test("nothing is on its way in a run that has ended, or has long gone on", () => {
  assert.equal(isOnItsWay(sent, { ...nowhere, isLive: false }), false);
  assert.equal(isOnItsWay(sent, { ...nowhere, totalLogs: 108 }), false);
});
