// Tier: rest
// What a waiting turn, a cancel and an event do to a step of a pull request.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openPulls, writes } from "./pulls.fixture.ts";

test("while a message waits for a slot, nothing is sent to the host", async (t) => {
  const of = await openPulls(t);
  const { host, engine, pulls, store, access, fullName } = of;
  host.onPush = ({ after }) => {
    if (after !== null) host.setCheck(fullName, after, { name: "build", conclusion: null });
  };
  engine.start();
  const run = await of.start(writes("two"));
  await of.settle(run.id);
  await of.request(run.id);
  await of.settle(run.id, ({ pull }) => pull?.stage === "checking");
  await engine.stop();
  of.advance(15_000);
  await pulls.processDue();
  await store.runs.addTurn(access, run.id, { prompt: writes("three"), images: [], model: null });
  const asked = host.requests.length;
  for (let second = 0; second < 60; second += 1) {
    of.advance(1000);
    await pulls.processDue();
  }
  assert.equal(host.requests.length, asked);
  await store.turns.withdraw(access, run.id, 2);
  of.advance(1000);
  await pulls.processDue();
  assert.ok(host.requests.length > asked, "withdrawn, the checks are watched again");
});

test("a comment's turn that waits in the queue is begun before its commits are looked at", async (t) => {
  const of = await openPulls(t);
  const { engine, pulls, store, integration, parts, fullName, repository } = of;
  engine.start();
  const run = await of.start(writes("two"));
  await of.settle(run.id);
  await of.request(run.id);
  const { pull } = await of.settle(run.id);
  await engine.stop();
  const event = { deliveryId: "one", kind: "issue_comment", saidKey: null, body: "{}", note: "" };
  await store.conversations.keep(integration.id, event);
  const stored = await store.conversations.claimEvent(60_000);
  assert.ok(stored);
  const turn = {
    prompt: writes("three"),
    sourceType: "GITHUB",
    repositoryId: repository.id,
    baseBranch: null,
  } as const;
  const choices = { agent: run.agent, model: null, permissionMode: run.permissionMode, turnTimeoutS: 60 } as const;
  await store.conversations.begin(stored, {
    ...{ conversation: `${fullName}/pull/${pull?.number}`, place: "{}", userId: null, entry: null },
    run: { ...turn, ...choices, metadata: {}, images: [] },
  });
  assert.deepEqual([(await of.find(run.id)).status, (await of.find(run.id)).pull?.stage], ["queued", "fixing"]);
  const read = t.mock.method(parts, "readWork");
  await store.pulls.wake({ integrationId: integration.id, fullName, number: pull?.number ?? 0 });
  for (let second = 0; second < 30; second += 1) {
    of.advance(1000);
    await pulls.processDue();
  }
  assert.equal(read.mock.callCount(), 0);
});

for (const isOpened of [true, false]) {
  const what = isOpened ? "found later, and watched" : "not looked for again, if the host has none";
  test(`a run is cancelled while its pull request is being opened: it is ${what}`, async (t) => {
    const of = await openPulls(t);
    const { host, engine, pulls, store, access, integration, fullName, spy } = of;
    engine.start();
    const run = await of.start(writes("two"));
    await of.settle(run.id);
    await of.request(run.id);
    const cancel = async ({ method, url }: { method: string; url: string }) => {
      if (method === "POST" && url.endsWith("/pulls")) await store.runs.cancel(access, run.id);
    };
    if (isOpened) spy.onAnswer = cancel;
    else {
      spy.onSend = async (request) => {
        await cancel(request);
        if (request.method === "POST" && request.url.endsWith("/pulls")) host.faults.push(502);
      };
    }
    await of.settle(run.id);
    await pulls.processDue();
    const cancelled = await of.find(run.id);
    assert.deepEqual([cancelled.status, cancelled.pull?.number], ["cancelled", null]);
    assert.equal(host.pullsOf(fullName).length, isOpened ? 1 : 0);
    of.advance(120_000);
    await pulls.processDue();
    const { status, pull } = await of.find(run.id);
    if (!isOpened) {
      assert.deepEqual([status, pull?.state, pull?.number, pull?.stage], ["cancelled", "failed", null, null]);
      const asked = host.requests.length;
      of.advance(24 * 3_600_000);
      await pulls.processDue();
      assert.equal(host.requests.length, asked);
      return;
    }
    const number = host.pullsOf(fullName)[0]?.number ?? 0;
    assert.deepEqual([status, pull?.state, pull?.number, pull?.stage], ["cancelled", "open", number, null]);
    assert.equal(await store.conversations.findRun(integration.id, `${fullName}/pull/${number}`), run.id);
    host.addPerson("ada", "write");
    await host.actOn(fullName, number, "merged", "ada");
    of.advance(30 * 60_000);
    await pulls.processDue();
    assert.equal((await of.find(run.id)).pull?.state, "merged");
  });
}

test("an event that arrives during a look is not lost: it is looked at again at once", async (t) => {
  const of = await openPulls(t);
  const { host, engine, pulls, store, integration, fullName, spy } = of;
  engine.start();
  const run = await of.start(writes("two"));
  await of.settle(run.id);
  await of.request(run.id);
  const number = (await of.settle(run.id)).pull?.number ?? 0;
  const place = { integrationId: integration.id, fullName, number };
  host.addPerson("ada", "write");
  let isMerged = false;
  spy.onAnswer = async ({ url }) => {
    if (isMerged || !/\/pulls\/\d+$/.test(url)) return;
    isMerged = true;
    await host.actOn(fullName, number, "merged", "ada");
    assert.equal(await store.pulls.wake(place), 1);
  };
  await store.pulls.wake(place);
  await pulls.processDue();
  assert.deepEqual([isMerged, (await of.find(run.id)).pull?.state], [true, "open"], "the answer was made before");
  of.advance(10_000);
  await pulls.processDue();
  assert.equal((await of.find(run.id)).pull?.state, "merged");
});
