import assert from "node:assert/strict";
import { test } from "node:test";
import { secondaryLimit } from "#lib/host/code-host.fixture.ts";
import { openPulls, writes } from "./pulls.fixture.ts";

test("a host that asks to wait is not asked before; whoever started the run is asked for a review", async (t) => {
  const of = await openPulls(t);
  const { host, engine, fullName, store, access, integration } = of;
  await of.putSettings({ mode: "automatic" });
  host.addPerson("ada", "write");
  await store.links.put(access, integration.id, "ada", access.userId);
  engine.start();
  const run = await of.start(writes("two"));
  const { pull } = await of.settle(run.id, (row) => row.pull?.stage === "checking");
  assert.deepEqual(host.findPull(fullName, pull?.number ?? 0)?.reviewers, ["ada"]);
  of.advance(15_000);
  host.faults.push(secondaryLimit(60));
  await of.pulls.workOff();
  const asked = host.requests.length;
  of.advance(58_000);
  await of.pulls.workOff();
  assert.equal(host.requests.length, asked);
  of.advance(3000);
  await of.pulls.workOff();
  assert.ok(host.requests.length > asked);
  assert.equal((await of.settle(run.id)).pull?.verdict, "no_checks");
});

test("what happens on the host is looked at at once, and what became of an open request every half hour", async (t) => {
  const of = await openPulls(t);
  const { host, engine, fullName, store, integration } = of;
  await of.putSettings({ mode: "automatic" });
  engine.start();
  const run = await of.start(writes("two"));
  const { pull } = await of.settle(run.id, (row) => row.pull?.stage === "checking");
  const number = pull?.number ?? 0;
  await of.pulls.workOff();
  const asked = host.requests.length;
  await of.pulls.workOff();
  assert.equal(host.requests.length, asked, "it is not due");
  assert.equal(await store.pulls.wake({ integrationId: integration.id, fullName, number }), 1);
  await of.pulls.workOff();
  assert.ok(host.requests.length > asked);
  await of.settle(run.id);
  host.addPerson("ada", "write");
  await host.actOn(fullName, number, "merged", "ada");
  of.advance(30 * 60_000);
  await of.pulls.workOff();
  const rested = await of.find(run.id);
  assert.deepEqual([rested.status, rested.pull?.state, rested.pull?.verdict], ["completed", "merged", "no_checks"]);
});

test("a thousand pull requests on a host are asked about less than 5,000 times an hour", async (t) => {
  const of = await openPulls(t);
  const { host, engine, parts } = of;
  const { store } = parts;
  parts.store = { ...store, pulls: { ...store.pulls, countWatched: async () => 1000 } };
  await of.putSettings({ mode: "automatic" });
  engine.start();
  const run = await of.start(writes("two"));
  await of.settle(run.id, (row) => row.pull?.stage === "checking");
  of.advance(15_000);
  await of.pulls.workOff();
  const before = host.requests.length;
  // One of the thousand: a thousandth of the requests.
  for (let seconds = 0; seconds < 3600 && (await of.find(run.id)).status === "evaluating"; seconds += 60) {
    of.advance(60_000);
    await of.pulls.workOff();
  }
  assert.ok(host.requests.length - before <= 5, `${host.requests.length - before} requests`);
});
