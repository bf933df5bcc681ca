// Tier: rest
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sh } from "#lib/engine/engine.fixture.ts";
import { secondaryLimit } from "#lib/host/code-host.fixture.ts";
import { openPulls, writes } from "./pulls.fixture.ts";

test("a host that asks to wait gets no request before then; whoever started the run is asked for a review", async (t) => {
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
  await of.pulls.processDue();
  const asked = host.requests.length;
  of.advance(58_000);
  await of.pulls.processDue();
  assert.equal(host.requests.length, asked);
  of.advance(3000);
  await of.pulls.processDue();
  assert.ok(host.requests.length > asked);
  assert.equal((await of.settle(run.id)).pull?.verdict, "no_checks");
});

test("a review that the host does not allow is told in the run, and the pull request is followed", async (t) => {
  const of = await openPulls(t);
  const { host, engine, store, access, integration } = of;
  await of.putSettings({ mode: "automatic" });
  host.addPerson("ada", "none");
  await store.links.put(access, integration.id, "ada", access.userId);
  engine.start();
  const run = await of.start(writes("two"));
  await of.settle(run.id, (row) => row.pull?.stage === "checking");
  const errors = (await of.entries(run.id)).filter(({ message_type }) => message_type === "ERROR");
  assert.match(JSON.stringify(errors), /"review_not_requested".*ada could not be asked for a review of #\d+: /);
});

test("after the clock was set back an event makes the checks be looked at at once, and they are settled as usual", async (t) => {
  const of = await openPulls(t);
  const { host, engine, pulls, store, integration, fullName } = of;
  host.onPush = ({ after }) => {
    if (after !== null) host.setCheck(fullName, after, { name: "build", conclusion: "success" });
  };
  engine.start();
  const run = await of.start(writes("two"));
  await of.settle(run.id);
  await of.request(run.id);
  const { pull } = await of.settle(run.id, (row) => row.pull?.stage === "checking");
  await engine.stop();
  of.advance(15_000);
  await pulls.processDue();
  const asked = host.requests.length;
  of.advance(-3_600_000);
  await store.pulls.wake({ integrationId: integration.id, fullName, number: pull?.number ?? 0 });
  await pulls.processDue();
  assert.ok(host.requests.length > asked, "looked at");
  for (let looks = 0; looks < 12; looks += 1) {
    of.advance(10_000);
    await pulls.processDue();
  }
  assert.equal((await of.find(run.id)).pull?.verdict, "green", of.log.join("\n"));
});

test("a run that waits for its checks holds no slot: with one slot, others are done meanwhile, and none is used", async (t) => {
  const of = await openPulls(t, "github", {}, { concurrency: 1 });
  const { host, engine, fullName, store } = of;
  await of.putSettings({ mode: "automatic" });
  host.onPush = ({ after }) => {
    if (after !== null) host.setCheck(fullName, after, { name: "build", conclusion: null });
  };
  engine.start();
  const run = await of.start(writes("two"));
  const isChecking = async () => {
    const { status, pull } = await of.find(run.id);
    const { working, runs } = await store.figures.read();
    assert.deepEqual([status, pull?.stage, runs.evaluating], ["evaluating", "checking", 1], of.log.join("\n"));
    assert.deepEqual([working, engine.isIdle], [0, true]);
  };
  await of.settle(run.id, ({ pull }) => pull?.stage === "checking");
  while (!engine.isIdle) await new Promise((resolve) => setTimeout(resolve, 10));
  await isChecking();
  const mark = join(of.dataDir, "go-on");
  const slow = await of.start(sh(`while ! test -e '${mark}'; do sleep 0.05; done`));
  const others = [await of.start(sh("echo one")), await of.start(sh("echo two"))];
  await of.settle(slow.id, ({ status }) => status === "running");
  assert.equal((await store.figures.read()).working, 1, "the figure counts what is at work");
  writeFileSync(mark, "");
  for (const { id } of [slow, ...others]) assert.equal((await of.settle(id)).status, "completed");
  while (!engine.isIdle) await new Promise((resolve) => setTimeout(resolve, 10));
  // A look at the checks takes none either.
  of.advance(60_000);
  await of.pulls.processDue();
  await isChecking();
  host.setCheck(fullName, (await of.find(run.id)).pull?.headCommit ?? "", { name: "build", conclusion: "success" });
  assert.equal((await of.settle(run.id)).pull?.verdict, "green");
});

test("events on the host bring the next look forward, and open pull requests at rest are looked at every half hour", async (t) => {
  const of = await openPulls(t);
  const { host, engine, fullName, store, integration } = of;
  await of.putSettings({ mode: "automatic" });
  engine.start();
  const run = await of.start(writes("two"));
  const { pull } = await of.settle(run.id, (row) => row.pull?.stage === "checking");
  const number = pull?.number ?? 0;
  await of.pulls.processDue();
  const asked = host.requests.length;
  await of.pulls.processDue();
  assert.equal(host.requests.length, asked, "it is not due");
  assert.equal(await store.pulls.wake({ integrationId: integration.id, fullName, number }), 1);
  await of.pulls.processDue();
  assert.ok(host.requests.length > asked);
  await of.settle(run.id);
  host.addPerson("ada", "write");
  await host.actOn(fullName, number, "merged", "ada");
  of.advance(30 * 60_000);
  await of.pulls.processDue();
  const rested = await of.find(run.id);
  assert.deepEqual([rested.status, rested.pull?.state, rested.pull?.verdict], ["completed", "merged", "no_checks"]);
});

test("a closed pull request is looked at once a day for 30 days, so that one reopened without an event is found", async (t) => {
  const of = await openPulls(t);
  const { host, engine, fullName } = of;
  await of.putSettings({ mode: "automatic" });
  engine.start();
  const run = await of.start(writes("two"));
  const number = (await of.settle(run.id)).pull?.number ?? 0;
  host.addPerson("ada", "write");
  const dayMs = 24 * 3_600_000;
  const stateAfter = async (ms: number) => {
    of.advance(ms);
    await of.pulls.processDue();
    return (await of.find(run.id)).pull?.state;
  };
  await host.actOn(fullName, number, "closed", "ada");
  assert.equal(await stateAfter(30 * 60_000), "closed");
  await host.actOn(fullName, number, "reopened", "ada");
  assert.equal(await stateAfter(dayMs - 60_000), "closed", "not due before a day is over");
  assert.equal(await stateAfter(60_000), "open");
  await host.actOn(fullName, number, "closed", "ada");
  assert.equal(await stateAfter(30 * 60_000), "closed");
  let asked = host.requests.length;
  for (let day = 1; day < 30; day += 1) {
    assert.equal(await stateAfter(dayMs), "closed");
    assert.ok(host.requests.length > asked, `day ${day}`);
    asked = host.requests.length;
  }
  await stateAfter(dayMs);
  asked = host.requests.length;
  assert.equal(await stateAfter(100 * dayMs), "closed");
  assert.equal(host.requests.length, asked, "nobody looks any more");
});

test("a thousand pull requests on a host cost less than 5,000 requests an hour", async (t) => {
  const of = await openPulls(t);
  const { host, engine, parts } = of;
  const { store } = parts;
  parts.store = { ...store, pulls: { ...store.pulls, countWatched: async () => 1000 } };
  await of.putSettings({ mode: "automatic" });
  engine.start();
  const run = await of.start(writes("two"));
  await of.settle(run.id, (row) => row.pull?.stage === "checking");
  of.advance(15_000);
  await of.pulls.processDue();
  const before = host.requests.length;
  // This is one of the thousand: a thousandth of the requests.
  for (let seconds = 0; seconds < 3600 && (await of.find(run.id)).status === "evaluating"; seconds += 60) {
    of.advance(60_000);
    await of.pulls.processDue();
  }
  assert.ok(host.requests.length - before <= 5, `${host.requests.length - before} requests`);
});

test("a token that is revoked while checks are watched is named as the error", async (t) => {
  const of = await openPulls(t);
  await of.putSettings({ mode: "automatic" });
  of.engine.start();
  const run = await of.start(writes("two"));
  await of.settle(run.id, ({ pull }) => pull?.stage === "checking");
  of.host.faults.push(...Array.from({ length: 100 }, () => 401));
  const { status, pull } = await of.settle(run.id);
  assert.deepEqual([status, pull?.verdict, pull?.error?.code], ["completed", "no_checks", "unauthorized"]);
  assert.match(pull?.error?.hint ?? "", /Integrations/);
});

test("an open pull request gets the title, text and draft state that a person gives, and keeps what they leave out", async (t) => {
  const of = await openPulls(t);
  const { host, engine, fullName, store, access } = of;
  await of.putSettings({ mode: "automatic", draft: false });
  engine.start();
  const run = await of.start(writes("two"));
  const number = (await of.settle(run.id)).pull?.number ?? 0;
  const shown = () => {
    const { title, body, draft } = host.findPull(fullName, number) ?? {};
    return { title, body, draft };
  };
  const before = shown();
  assert.equal(before.draft, false);
  const nothing = { title: null, body: null, draft: null, baseBranch: null };
  await store.pulls.request(access, run.id, { ...nothing, body: "Why it is so", draft: true, baseBranch: "main" });
  await of.settle(run.id);
  const after = shown();
  assert.deepEqual([after.title, after.draft], [before.title, true]);
  assert.match(after.body ?? "", /^Why it is so\n/);
  host.changePull(number, { draft: false, title: "Hers" });
  await store.pulls.request(access, run.id, nothing);
  const { pull } = await of.settle(run.id);
  assert.deepEqual(shown(), { ...after, draft: false, title: "Hers" });
  assert.deepEqual([pull?.title, pull?.isDraft, pull?.baseBranch], ["Hers", false, "main"]);
  const other = await store.pulls.request(access, run.id, { ...nothing, baseBranch: "next" });
  assert.deepEqual(other, { refused: "base_branch" });
});

test("time in which nobody looked is no time without checks: the next looks may still see one", async (t) => {
  const of = await openPulls(t);
  const { host, engine, fullName } = of;
  await of.putSettings({ mode: "automatic" });
  engine.start();
  const begin = async (text: string) => {
    const run = await of.start(writes(text));
    const { pull } = await of.settle(run.id, (row) => row.pull?.stage === "checking");
    return { id: run.id, commit: pull?.headCommit ?? "" };
  };
  const late = await begin("two");
  for (const ms of [15_000, 600_000]) {
    of.advance(ms);
    await of.pulls.processDue();
  }
  assert.equal((await of.find(late.id)).pull?.stage, "checking");
  host.setCheck(fullName, late.commit, { name: "build", conclusion: "success" });
  assert.equal((await of.settle(late.id)).pull?.verdict, "green");

  const none = await begin("three");
  of.advance(600_000);
  await of.pulls.processDue();
  assert.equal((await of.find(none.id)).pull?.stage, "checking", "before the first look");
  of.advance(15_000);
  assert.equal((await of.settle(none.id)).pull?.verdict, "no_checks");
});
