import assert from "node:assert/strict";
import { test } from "node:test";
import { askEveryMs, ServerReach } from "./server-reach.ts";

/** A server that can be up or down, and a clock that is moved by hand. */
function surroundings() {
  const due: { callback: () => void; ms: number }[] = [];
  const server = { isThere: true, asked: 0 };
  const reach = new ServerReach({
    ask: async () => {
      server.asked += 1;
      return server.isThere;
    },
    schedule: (callback, ms) => {
      const one = { callback, ms };
      due.push(one);
      return () => void due.splice(due.indexOf(one), 1);
    },
  });
  const tick = async () => {
    due.shift()?.callback();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { reach, server, due, tick };
}

test("a lost server is noticed by the next ping, and so is its return", async () => {
  const { reach, server, due, tick } = surroundings();
  const told: boolean[] = [];
  reach.subscribe(() => told.push(reach.isLost));
  const stop = reach.watch();
  assert.deepEqual(
    due.map(({ ms }) => ms),
    [askEveryMs],
  );
  await tick();
  server.isThere = false;
  await tick();
  await tick();
  server.isThere = true;
  await tick();
  assert.deepEqual(told, [true, false]);
  assert.equal(server.asked, 4);
  stop();
  assert.equal(due.length, 0);
});

test("a ping that is answered after the watch has ended changes nothing", async () => {
  const { reach, server, due, tick } = surroundings();
  const stop = reach.watch();
  server.isThere = false;
  const asked = tick();
  stop();
  await asked;
  assert.equal(reach.isLost, false);
  assert.equal(due.length, 0);
});

test("a page's own request is noticed at once, before the next ping", () => {
  const { reach } = surroundings();
  reach.noticed(false);
  assert.equal(reach.isLost, true);
  reach.noticed(true);
  assert.equal(reach.isLost, false);
});

test("a navigation is remembered while the server is gone, only the last one, once", () => {
  const { reach } = surroundings();
  assert.equal(reach.keep("/runs/1"), false);
  assert.equal(reach.takeWanted(), null);
  reach.noticed(false);
  assert.equal(reach.keep("/runs/1"), true);
  assert.equal(reach.keep("/runs/2"), true);
  reach.noticed(true);
  assert.equal(reach.takeWanted(), "/runs/2");
  assert.equal(reach.takeWanted(), null);
});
