import assert from "node:assert/strict";
import { test } from "node:test";
import { ChangeSignal } from "./change-signal.ts";

const soon = () => AbortSignal.timeout(10_000);

test("a changed version wakes all who wait", async () => {
  let version = 1;
  const signal = new ChangeSignal({ version: async () => version });
  const leave = signal.enter();
  await signal.after(0, soon());
  const seen = signal.count;
  const waiting = [signal.after(seen, soon()), signal.after(seen, soon())];
  version = 2;
  await Promise.all(waiting);
  assert.ok(signal.count > seen);
  leave();
});

test("a change without a hint is still found", async () => {
  const signal = new ChangeSignal({ version: async () => 1 });
  const leave = signal.enter();
  await signal.after(0, soon());
  const limit = soon();
  await signal.after(signal.count, limit);
  assert.equal(limit.aborted, false);
  leave();
});

test("the store is not polled while nobody follows, nor after the last has left", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  let asked = 0;
  const signal = new ChangeSignal({ version: async () => ++asked });
  const pass = async (ms: number) => {
    context.mock.timers.tick(ms);
    await new Promise(setImmediate);
  };
  await pass(1000);
  assert.equal(asked, 0);
  const leave = signal.enter();
  for (let polls = 1; polls <= 3; polls += 1) {
    await pass(20);
    assert.equal(asked, polls);
  }
  leave();
  leave();
  for (let polls = 0; polls < 10; polls += 1) await pass(20);
  assert.ok(asked <= 4);
  signal.enter()();
  await pass(20);
  assert.ok(asked <= 5);
});

test("a store that fails wakes its followers, who see the failure themselves", async () => {
  const signal = new ChangeSignal({ version: () => Promise.reject(new Error("gone")) });
  const leave = signal.enter();
  const limit = soon();
  await signal.after(0, limit);
  assert.equal(limit.aborted, false);
  leave();
});
