import assert from "node:assert/strict";
import { test } from "node:test";
import type { QueuedTurn } from "#lib/contract/runs/run-queue.ts";
import { begunBetween } from "./begun-turn.ts";

const turn = (number: number, state: QueuedTurn["state"] = "waiting"): QueuedTurn => ({
  ...{
    number,
    state,
    prompt: `turn ${number}`,
    image_count: 0,
    attachments: [],
    model: null,
    delivery: "next_turn" as const,
    revision: 0,
  },
  ...{ created_at: "2026-01-01T00:00:00.000Z", user_id: 1, user_name: "Ada" },
});
const seen = (turns: number, ...items: QueuedTurn[]) => ({ items, turns });

test("the first waiting turn has begun if it is gone and none was withdrawn", () => {
  const before = seen(4, turn(2, "held"), turn(3), turn(4));
  assert.equal(begunBetween(before, seen(4, turn(2, "held"), turn(4)))?.number, 3);
  assert.equal(begunBetween(before, before), null);
  assert.equal(begunBetween(before, seen(3, turn(2, "held"), turn(4))), null);
  assert.equal(begunBetween(seen(2, turn(2, "held")), seen(2)), null);
});

test("a turn that was withdrawn has not begun, even if another one was added since", () => {
  assert.equal(begunBetween(seen(2, turn(2)), seen(2, turn(3))), null);
  assert.equal(begunBetween(seen(2, turn(2)), seen(3, turn(3)))?.number, 2);
});

test("a turn held by a cancel has not begun", () => {
  assert.equal(begunBetween(seen(2, turn(2)), seen(2, turn(2, "held"))), null);
});
