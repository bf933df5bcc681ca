import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { holdFrames } from "./frames.fixture.ts";
import { MountTurns } from "./mount-turns.ts";

/** Turns with items 10 to 20 in view; mounting one takes `costMs`. */
function startTurns(t: TestContext, costMs: number) {
  const frames = holdFrames(t);
  const turns = new MountTurns(() => ({ first: 10, last: 20 }));
  const shown: number[] = [];
  const wait = (index: number) =>
    turns.wait(index, () => {
      shown.push(index);
      frames.pass(costMs);
    });
  return { ...frames, turns, shown, wait };
}

test("a list that stands still mounts as many items as a frame has time for, those in the middle of the view first", (t) => {
  const { frame, shown, wait, isIdle } = startTurns(t, 4);
  for (const index of [30, 10, 15, 14]) wait(index);
  frame();
  assert.deepEqual(shown, [], "this frame has already rendered the placeholders");
  frame();
  assert.deepEqual(shown, [15, 14, 10]);
  frame();
  assert.deepEqual(shown, [15, 14, 10, 30]);
  frame();
  assert.ok(isIdle());
});

test("while the reader scrolls, a frame mounts fewer items, and at high speed none", (t) => {
  const { frame, turns, shown, wait } = startTurns(t, 4);
  const scroll = (px: number) => {
    turns.scrolled(px);
    frame();
  };
  scroll(0);
  for (const index of [14, 15, 16]) wait(index);
  for (let step = 0; step < 5; step += 1) scroll(400);
  assert.deepEqual(shown, [], "25 px a ms");
  for (let step = 0; step < 4; step += 1) scroll(5);
  assert.deepEqual(shown, [15, 14]);
  assert.ok(turns.isScrolling);
  frame(200);
  assert.deepEqual(shown, [15, 14, 16]);
  assert.equal(turns.isScrolling, false);
});

test("an item that has left the list before its turn is not mounted, and after a jump nothing waits", (t) => {
  const { frame, turns, shown, wait } = startTurns(t, 1);
  const cancel = wait(15);
  wait(16);
  cancel();
  frame();
  frame();
  assert.deepEqual(shown, [16]);
  turns.scrolled(400);
  assert.ok(turns.isScrolling);
  turns.release();
  assert.equal(turns.isScrolling, false);
});
