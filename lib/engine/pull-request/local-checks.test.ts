// Tier: rest
import assert from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SetupCommands } from "#lib/contract/repositories/setup.ts";
import { git } from "#lib/workspace/test-repository.ts";
import { openPulls, writes } from "./pulls.fixture.ts";

/** A check that wants this text in a.txt, and leaves a file behind. */
const wants = (text: string) =>
  `echo left > left.txt; test -e a.txt && grep ${text} a.txt || { echo wrong text; exit 3; }`;

test("a folder's own commands check what was pushed there: red, fixed by the agent, green", async (t) => {
  const of = await openPulls(t);
  const command = wants("three");
  const { folder, repository } = await of.addFolder({ test: [command], lint: ["true"] });
  await of.putChecks({ custom_prompts: { [command]: writes("three") } }, repository.id);
  of.engine.start();
  const run = await of.start(writes("two"), repository.id);
  await of.settle(run.id);
  await of.request(run.id);
  const ended = await of.settle(run.id);
  assert.deepEqual(
    [ended.status, ended.pull?.state, ended.pull?.verdict, ended.pull?.rounds, ended.pull?.checks?.passed],
    ["completed", "pushed", "green", 1, 2],
    of.log.join("\n"),
  );
  assert.deepEqual(await of.told(run.id), [
    "COMMIT_EVALUATION fit",
    "DETECT_PR_ERRORS 0",
    "FIX_PR_ERRORS 1",
    "COMMIT_EVALUATION fit",
    "DETECT_PR_ERRORS 1",
    "PR_EVALUATION green",
  ]);
  const [found] = (await of.entries(run.id)).filter(({ message_type }) => message_type === "DETECT_PR_ERRORS");
  const { source, failing, checks, commit } = Object(found?.observation);
  assert.deepEqual([source, failing], ["local", [command]]);
  assert.deepEqual(
    checks.map((check: { conclusion: string; excerpt: string | null }) => [check.conclusion, check.excerpt]),
    [
      ["success", null],
      ["failure", "wrong text\n\nThe command exited with 3."],
    ],
  );
  assert.match(commit, /^[0-9a-f]{40}$/);
  const branch = `errand/run-${run.id}`;
  assert.equal(git(folder, "show", `${branch}:a.txt`), "three");
  assert.equal(
    git(folder, "ls-tree", "--name-only", branch).includes("left.txt"),
    false,
    "what a check leaves is gone",
  );
  assert.deepEqual(await of.store.pulls.listCheckNames(of.access, repository.id), [command, "true"].sort());
});

test("before a push: what fails never reaches the host, and there are at most three rounds", async (t) => {
  const of = await openPulls(t);
  const { host, engine, store, access, fullName, repository } = of;
  const command = wants("three");
  await store.setups.change(access, repository.id, SetupCommands.parse({ test: [command] }), null);
  await of.putSettings({ mode: "automatic", local_checks: "before_push" });
  let pushes = 0;
  host.onPush = ({ after }) => {
    pushes += 1;
    if (after !== null) host.setCheck(fullName, after, { name: "build", conclusion: "success" });
  };
  engine.start();
  await of.putChecks({ check_retry_count: 1, custom_prompts: { [command]: writes("still wrong") } });
  const red = await of.settle((await of.start(writes("two"))).id);
  assert.deepEqual([red.pull?.verdict, red.pull?.state, pushes], ["no_progress", "failed", 0], of.log.join("\n"));
  assert.match(String(red.pull?.reason), /^Not pushed: /);
  assert.deepEqual(host.pullsOf(fullName), []);

  await of.putChecks({ custom_prompts: { [command]: writes("three") } });
  const run = await of.start(writes("two"));
  const green = await of.settle(run.id);
  assert.deepEqual([green.pull?.verdict, green.pull?.rounds, pushes], ["green", 1, 1], of.log.join("\n"));
  assert.deepEqual(
    (await of.told(run.id)).map((one) => one.split(" ")[0]),
    [
      ...["COMMIT_EVALUATION", "DETECT_PR_ERRORS", "FIX_PR_ERRORS", "COMMIT_EVALUATION", "DETECT_PR_ERRORS"],
      ...["INITIAL_PR_GENERATION", "DETECT_PR_ERRORS", "PR_EVALUATION"],
    ],
  );
  const [pull] = host.pullsOf(fullName);
  assert.match(pull?.body ?? "", /\n\nChecked here: `echo left > left\.txt; .*` passed\.\n\n---\n\[Run \d+\]/);
});

test("a command that takes too long is ended; a cancel and a person's message end it at once; commands may be turned off", async (t) => {
  const of = await openPulls(t);
  const { store, access, engine } = of;
  const { folder, repository } = await of.addFolder({ test: ["sleep 300"], timeout_s: 1 });
  await of.putChecks({ check_retry_count: 0 }, repository.id);
  engine.start();
  const begin = async () => {
    const run = await of.start(writes("two"), repository.id);
    await of.settle(run.id);
    await of.request(run.id);
    return run.id;
  };
  const late = await of.settle(await begin());
  assert.deepEqual([late.pull?.verdict, late.pull?.checks?.failed], ["red", 1], of.log.join("\n"));

  const mark = join(folder, "../at-work");
  const slow = `touch "${mark}"; while test -e "${mark}"; do sleep 0.1; echo "" > tick.txt; done`;
  await store.setups.change(access, repository.id, SetupCommands.parse({ test: [slow] }), null);
  const untilAtWork = async (runId: number) => {
    await of.settle(runId, ({ pull }) => pull?.stage === "testing");
    const isThere = () => existsSync(mark) && existsSync(join(of.dataDir, "checkouts", String(runId), "tick.txt"));
    while (!isThere()) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  const first = await begin();
  await untilAtWork(first);
  assert.equal((await store.runs.cancel(access, first))?.status, "cancelled");
  const [stopped, last] = (await of.entries(first)).slice(-2);
  const { source, checks, failing } = Object(stopped?.observation);
  assert.deepEqual(
    [stopped?.message_type, source, failing, last?.observation],
    ["DETECT_PR_ERRORS", "local", [], { kind: "interruption", message: "Cancelled." }],
  );
  assert.deepEqual(
    checks.map(({ name, conclusion }: Record<string, unknown>) => [name, conclusion]),
    [[slow, "cancelled"]],
  );
  while (engine.isAtWork(first)) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal((await of.find(first)).pull?.stage, null);

  rmSync(mark);
  const second = await begin();
  await untilAtWork(second);
  await store.setups.change(access, repository.id, null, null);
  await store.runs.addTurn(access, second, { prompt: writes("three"), images: [], model: null });
  const ended = await of.settle(second);
  assert.deepEqual([ended.status, ended.turns, ended.pull?.verdict], ["completed", 2, "no_checks"], of.log.join("\n"));
  const branch = `errand/run-${second}`;
  assert.equal(git(folder, "show", `${branch}:a.txt`), "three");
  assert.doesNotMatch(git(folder, "ls-tree", "--name-only", branch), /tick/, "what a stopped check leaves is gone");

  await store.setups.change(access, repository.id, SetupCommands.parse({ test: ["false"] }), null);
  await of.putSettings({ local_checks: "never" }, repository.id);
  assert.equal((await of.settle(await begin())).pull?.verdict, "no_checks");

  rmSync(mark);
  await of.putSettings({}, repository.id);
  await store.setups.change(access, repository.id, SetupCommands.parse({ test: [slow] }), null);
  const third = await begin();
  await untilAtWork(third);
  await engine.stop();
  const again = await store.localChecks.claim("another", 60_000);
  assert.deepEqual([again?.run.id, again?.tries], [third, 2], "an engine that stops leaves them to the next one");
});

test("own checks that pass before a push do not hide that a round left the host's checks as they were", async (t) => {
  const of = await openPulls(t);
  const { host, engine, store, access, fullName, repository } = of;
  await store.setups.change(access, repository.id, SetupCommands.parse({ test: ["true"] }), null);
  await of.putSettings({ mode: "automatic", local_checks: "before_push" });
  await of.putChecks({ check_retry_count: 3, custom_prompts: { build: writes("still wrong") } });
  host.onPush = ({ after }) => {
    if (after !== null) host.setCheck(fullName, after, { name: "build", conclusion: "failure" });
  };
  engine.start();
  const stuck = await of.settle((await of.start(writes("two"))).id);
  assert.deepEqual([stuck.pull?.verdict, stuck.pull?.rounds], ["no_progress", 1], of.log.join("\n"));
});
