import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { askEveryMs, ServerReach } from "./server-reach.ts";

/** A server that can be up or down, and a clock that is moved by hand. */
function surroundings(t: TestContext) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const server = { isThere: true, asked: 0 };
  const reach = new ServerReach(async () => {
    server.asked += 1;
    return server.isThere;
  });
  const passes = async (ms: number) => {
    t.mock.timers.tick(ms);
    await Promise.resolve();
    await Promise.resolve();
  };
  return { reach, server, passes };
}

test("a lost server is noticed by the next ping, and so is its return", async (t) => {
  const { reach, server, passes } = surroundings(t);
  const told: boolean[] = [];
  reach.subscribe(() => told.push(reach.isLost));
  const stop = reach.watch();
  await passes(askEveryMs - 1);
  assert.equal(server.asked, 0);
  await passes(1);
  assert.equal(server.asked, 1);
  server.isThere = false;
  await passes(askEveryMs);
  await passes(askEveryMs);
  server.isThere = true;
  await passes(askEveryMs);
  assert.deepEqual(told, [true, false]);
  assert.equal(server.asked, 4);
  stop();
  await passes(askEveryMs);
  assert.equal(server.asked, 4);
});

test("a ping that is answered after the watch has ended changes nothing", async (t) => {
  const { reach, server, passes } = surroundings(t);
  const stop = reach.watch();
  server.isThere = false;
  const asked = passes(askEveryMs);
  stop();
  await asked;
  assert.equal(server.asked, 1);
  assert.equal(reach.isLost, false);
  await passes(askEveryMs);
  assert.equal(server.asked, 1);
});

test("a ping sent before the server was lost, and answered after that, is no return: what is wanted stays wanted", async (t) => {
  const { reach, server, passes } = surroundings(t);
  const stop = reach.watch();
  const asked = passes(askEveryMs);
  reach.noticed(false);
  reach.keep("/runs/1");
  await asked;
  assert.equal(server.asked, 1);
  assert.deepEqual([reach.isLost, reach.takeWanted()], [true, "/runs/1"]);
  await passes(askEveryMs);
  assert.deepEqual([server.asked, reach.isLost], [2, false]);
  stop();
});

test("a page's own request is noticed at once, before the next ping", (t) => {
  const { reach } = surroundings(t);
  reach.noticed(false);
  assert.equal(reach.isLost, true);
  reach.noticed(true);
  assert.equal(reach.isLost, false);
});

test("a navigation is remembered while the server is gone, only the last one, once", (t) => {
  const { reach } = surroundings(t);
  assert.equal(reach.keep("/runs/1"), false);
  assert.equal(reach.takeWanted(), null);
  reach.noticed(false);
  assert.equal(reach.keep("/runs/1"), true);
  assert.equal(reach.keep("/runs/2"), true);
  reach.noticed(true);
  assert.equal(reach.takeWanted(), "/runs/2");
  assert.equal(reach.takeWanted(), null);
});
