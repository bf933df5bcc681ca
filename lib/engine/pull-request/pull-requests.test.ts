// Tier: rest
import assert from "node:assert/strict";
import { test } from "node:test";
import type { PullStage } from "#lib/contract/runs/pull-request.ts";
import { hostToken } from "#lib/host/code-host.fixture.ts";
import { openPulls, writes } from "./pulls.fixture.ts";

test("without a click nothing leaves the service; with one the work is pushed, opened, fixed and green", async (t) => {
  const of = await openPulls(t);
  const { host, engine, fullName, repository } = of;
  await of.putChecks({ custom_prompts: { build: writes("three") } });
  let pushes = 0;
  host.onPush = ({ after }) => {
    pushes += 1;
    if (after === null) return;
    const annotations = [{ path: "a.txt", line: 1, level: "failure", message: "expected three" }] as const;
    const failed = {
      name: "build",
      conclusion: "failure",
      log: "2026-01-01T00:00:00Z expected three\n",
      annotations,
    } as const;
    host.setCheck(fullName, after, pushes === 1 ? failed : { name: "build", conclusion: "success" });
    host.setCheck(fullName, after, { name: "lint", conclusion: "success" });
  };
  engine.start();
  const run = await of.start(writes("two"));
  const done = await of.settle(run.id);
  assert.deepEqual([done.status, done.pull, pushes, await of.told(run.id)], ["completed", null, 0, []]);
  assert.deepEqual(host.pullsOf(fullName), []);

  await of.request(run.id);
  const ended = await of.settle(run.id);
  assert.deepEqual(
    [ended.status, ended.pull?.verdict, ended.pull?.state, ended.pull?.rounds],
    ["completed", "green", "open", 1],
    of.log.join("\n"),
  );
  assert.deepEqual(await of.told(run.id), [
    "COMMIT_EVALUATION fit",
    "INITIAL_PR_GENERATION 1",
    "DETECT_PR_ERRORS 0",
    "FIX_PR_ERRORS 1",
    "COMMIT_EVALUATION fit",
    "DETECT_PR_ERRORS 1",
    "PR_EVALUATION green",
  ]);
  const [pull, ...others] = host.pullsOf(fullName);
  assert.deepEqual(others, []);
  assert.deepEqual([pull?.branch, pull?.draft, pull?.baseBranch], [`errand/run-${run.id}`, true, "main"]);
  assert.match(pull?.body ?? "", /https:\/\/errand\.test\/runs\/1\b[\s\S]*Requested by: Test/);
  assert.equal(await host.git.read(fullName, `errand/run-${run.id}`, "a.txt"), "three");
  assert.equal(pushes, 2);
  const all = JSON.stringify(await of.entries(run.id));
  assert.ok(all.includes("expected three") && !all.includes(hostToken));
  assert.deepEqual(await of.store.pulls.listCheckNames(of.access, repository.id), ["build", "lint"]);
});

test("red checks get exactly three rounds if other ones fail each time; the same failure twice is no progress", async (t) => {
  const of = await openPulls(t);
  const { host, engine, fullName } = of;
  await of.putSettings({ mode: "automatic" });
  await of.putChecks({ custom_prompts: { build: `${writes("$RANDOM$RANDOM")}` } });
  let pushes = 0;
  let isSame = false;
  host.onPush = ({ after }) => {
    pushes += 1;
    const log = isSame ? "the same, in 12 s" : `failure number ${pushes}`;
    if (after !== null) host.setCheck(fullName, after, { name: "build", conclusion: "failure", log });
  };
  engine.start();
  const run = await of.start(writes("two"));
  const ended = await of.settle(run.id);
  assert.deepEqual(
    [ended.status, ended.pull?.verdict, ended.pull?.rounds],
    ["completed", "gave_up", 3],
    of.log.join("\n"),
  );
  const told = await of.told(run.id);
  assert.equal(told.filter((one) => one.startsWith("FIX_PR_ERRORS")).length, 3);
  assert.deepEqual([told.at(-1), pushes], ["PR_EVALUATION gave_up", 4]);

  isSame = true;
  const second = await of.start(writes("five"));
  const stuck = await of.settle(second.id);
  assert.deepEqual([stuck.pull?.verdict, stuck.pull?.rounds], ["no_progress", 1]);
});

test("a person's push is never overwritten: on top of the work, the agent continues from it; beside it, it ends the work", async (t) => {
  const of = await openPulls(t);
  const { host, engine, fullName } = of;
  await of.putSettings({ mode: "automatic" });
  await of.putChecks({ custom_prompts: { build: "```sh\ncat b.txt > c.txt\n```" } });
  let isRed = true;
  host.onPush = ({ after }) => {
    if (after !== null) host.setCheck(fullName, after, { name: "build", conclusion: isRed ? "failure" : "success" });
  };
  engine.start();
  const run = await of.start(writes("two"));
  const branch = `errand/run-${run.id}`;
  await of.settle(run.id, ({ pull }) => pull?.stage === "checking");
  const theirs = await host.pushAs("ada", fullName, branch, { "b.txt": "by a person\n" });
  host.setCheck(fullName, theirs, { name: "build", conclusion: "failure" });
  await of.settle(run.id, ({ pull }) => pull?.headCommit === theirs);
  isRed = false;
  const ended = await of.settle(run.id);
  assert.deepEqual([ended.pull?.verdict, ended.pull?.rounds], ["green", 1], of.log.join("\n"));
  assert.equal(await host.git.read(fullName, branch, "b.txt"), "by a person");
  assert.equal(await host.git.read(fullName, branch, "c.txt"), "by a person");

  const second = await of.start(writes("three"));
  const other = `errand/run-${second.id}`;
  await until(of, second.id, "weighing");
  const rival = await host.pushAs("ada", fullName, other, { "b.txt": "beside\n" });
  const diverged = await of.settle(second.id);
  assert.deepEqual([diverged.status, diverged.pull?.verdict], ["completed", "diverged"]);
  assert.equal(await host.git.headOf(fullName, other), rival);
  assert.equal((await of.told(second.id)).at(-1), "PR_EVALUATION diverged");
});

test("a cancel ends it at any point, and nothing more reaches the host", async (t) => {
  const of = await openPulls(t);
  const { host, engine, fullName } = of;
  await of.putSettings({ mode: "automatic" });
  engine.start();
  for (const stage of ["weighing", "pushing", "opening", "checking"] as const) {
    const run = await of.start(writes(stage));
    await until(of, run.id, stage);
    const before = {
      pushes: await host.git.headOf(fullName, `errand/run-${run.id}`),
      pulls: host.pullsOf(fullName).length,
    };
    await of.store.runs.cancel(of.access, run.id);
    await of.pulls.processDue();
    const { status, pull } = await of.find(run.id);
    assert.deepEqual([status, pull?.stage, pull?.verdict], ["cancelled", null, null], stage);
    const after = {
      pushes: await host.git.headOf(fullName, `errand/run-${run.id}`),
      pulls: host.pullsOf(fullName).length,
    };
    assert.deepEqual(after, before, stage);
    const last = (await of.entries(run.id)).at(-1);
    assert.equal(Object(last?.observation).kind, "interruption");
  }
});

test("a refused draft is opened as no draft; a lost response is recovered; an hour without the host costs nothing but time", async (t) => {
  const of = await openPulls(t);
  const { host, engine, fullName } = of;
  await of.putSettings({ mode: "automatic" });
  host.setRules(fullName, { refusesDrafts: true });
  host.onPush = ({ after }) => {
    if (after !== null) host.setCheck(fullName, after, { name: "build", conclusion: "success" });
  };
  engine.start();
  const run = await of.start(writes("two"));
  await until(of, run.id, "opening");
  const opening = host.requests.length;
  host.isGone = true;
  await of.pulls.takeOne();
  of.advance(3_600_000);
  await of.pulls.processDue();
  assert.equal((await of.find(run.id)).status, "evaluating");
  assert.equal(host.requests.length, opening);
  host.isGone = false;
  of.spy.onSend = ({ method, url, body }) => {
    if (method === "POST" && url.endsWith("/pulls") && body?.includes('"draft":false')) host.faults.push("lost");
  };
  const ended = await of.settle(run.id);
  assert.deepEqual(
    [ended.pull?.verdict, ended.pull?.isDraft, ended.pull?.number],
    ["green", false, 1],
    of.log.join("\n"),
  );
  assert.equal(host.pullsOf(fullName).length, 1);
});

/** Takes steps while the next one is due at once, until the stage is reached. */
async function until(of: Awaited<ReturnType<typeof openPulls>>, runId: number, stage: PullStage): Promise<void> {
  for (let looks = 0; looks < 2000; looks += 1) {
    const { pull } = await of.find(runId);
    if (pull?.stage === stage) return;
    if (pull?.stage == null || !(await of.pulls.takeOne())) await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`run ${runId} did not get to ${stage}`);
}
