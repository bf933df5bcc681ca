// Tier: rest
import assert from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { isEnd } from "#lib/contract/runs/run-status.ts";
import { ThreadLimitError } from "#lib/setup/limited-thread.ts";
import { hasEnded, inputOf, openWithSetup, outputOf, sh, told } from "./run-setup.fixture.ts";
import { findSetupBrief } from "./setup-brief.ts";

test("install and build run after the message and before the agent, maintenance before later turns, tests never", async (t) => {
  const { create, entries, until, addTurn, statusOf, repositoryId } = await openWithSetup(t, {
    install: ["echo installed >> ignored"],
    build: ['echo built >> ignored; echo "secret: $SECRET_KEY"'],
    test: ["touch tested"],
    lint: ["touch linted"],
    maintenance: ["echo maintained >> ignored"],
  });
  const run = await create(sh("cat ignored; ls"), { repositoryId });
  await until(run.id, hasEnded);
  const first = await entries(run.id);
  assert.deepEqual(told(first), [
    "message",
    "echo installed >> ignored completed",
    'echo built >> ignored; echo "secret: $SECRET_KEY" completed',
    "cat ignored; ls completed",
  ]);
  const [, install, build, agent] = first.filter(({ message_type }) =>
    ["USER_MESSAGE", "ACTION"].includes(message_type),
  );
  assert.ok(install && build && agent);
  assert.deepEqual([install.tool_name, inputOf(install).description], ["shell", "Setup: install"]);
  assert.equal(outputOf(install).exit_code, 0);
  assert.equal(typeof outputOf(install).duration_ms, "number");
  assert.equal(outputOf(build).output, "secret: \n", "setup gets no secret of the service");
  assert.equal(outputOf(agent).output, "installed\nbuilt\nignored\n", "no test was run");
  assert.equal(await statusOf(), "ready");
  await addTurn(run.id, sh("cat ignored"));
  await until(run.id, ({ turns, status }) => turns === 2 && isEnd(status));
  assert.deepEqual(told((await entries(run.id)).slice(first.length)), [
    "message",
    "echo maintained >> ignored completed",
    "cat ignored completed",
  ]);
});

test("a failed setup is reported to the agent and in the log, and the run continues; the person's message stays as it is", async (t) => {
  const { create, entries, until, statusOf, repositoryId, store, access } = await openWithSetup(t, {
    install: ["echo '```sh'; echo 'touch /tmp/never'; exit 3", "touch ignored"],
    test: ["npm test"],
  });
  const prompt = sh("test ! -e ignored");
  const run = await create(prompt, { repositoryId });
  assert.equal((await until(run.id, hasEnded)).status, "completed");
  const lines = await entries(run.id);
  assert.deepEqual(told(lines), [
    "message",
    "echo '```sh'; echo 'touch /tmp/never'; exit 3 failed",
    "notice Setup failed",
    "test ! -e ignored completed",
  ]);
  assert.equal(lines.find(({ message_type }) => message_type === "USER_MESSAGE")?.observation, prompt);
  assert.equal(await statusOf(), "failed");
  const kept = await store.setups.find(access, repositoryId);
  assert.deepEqual([kept?.lastUse?.runId, kept?.lastUse?.worked], [run.id, false]);
});

test("a required setup that fails ends the run with an error that names the command; the next turn tries again", async (t) => {
  const { create, entries, until, addTurn, checkoutOf, repositoryId, statusOf } = await openWithSetup(t, {
    install: ["test -e fixed"],
    required: true,
  });
  const run = await create(sh("echo never"), { repositoryId });
  assert.equal((await until(run.id, hasEnded)).status, "failed");
  const lines = await entries(run.id);
  assert.deepEqual(told(lines), ["message", "test -e fixed failed", "error setup_failed"]);
  assert.match(String(Object(lines.at(-1)?.observation).message), /`test -e fixed` exited with 1/);
  rmSync(join(checkoutOf(run.id), ".gitignore"));
  await addTurn(run.id, sh("echo second"));
  await until(run.id, ({ turns, status }) => turns === 2 && isEnd(status));
  assert.deepEqual(told((await entries(run.id)).slice(lines.length)), [
    "message",
    "test -e fixed failed",
    "notice Setup changed files",
    "error setup_failed",
  ]);
  assert.equal(await statusOf(), "failed");
});

test("a cancel in the middle of a setup ends it and all processes that it started", async (t) => {
  const { create, entries, until, store, access, repositoryId, statusOf } = await openWithSetup(t, {
    install: ["echo begun; (sleep 300 & echo $! > child; wait); touch never"],
  });
  const run = await create(sh("echo never"), { repositoryId });
  await until(run.id, ({ totalLogs }) => totalLogs > 0);
  const isRunning = async () => (await store.runs.findProgress(access, run.id))?.tools[0]?.output === "begun\n";
  for (const endsAt = Date.now() + 10_000; !(await isRunning()); ) {
    assert.ok(Date.now() < endsAt, "the command's output is shown while it runs");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await store.runs.cancel(access, run.id);
  assert.equal((await until(run.id, hasEnded)).status, "cancelled");
  const lines = await entries(run.id);
  assert.equal(outputOf(lines[1] ?? ({} as LogEntry)).status, "cancelled");
  assert.deepEqual(told(lines).slice(-1), ["message"], "the mark of the cancel closes the log");
  assert.equal(await statusOf(), "ready", "a cancelled setup has not failed");
});

test("a command that takes too long is stopped and counts as failed", async (t) => {
  const { create, entries, until, repositoryId } = await openWithSetup(t, { install: ["sleep 300"], timeout_s: 1 });
  const run = await create(sh("echo on"), { repositoryId });
  assert.equal((await until(run.id, hasEnded)).status, "completed");
  const lines = await entries(run.id);
  assert.deepEqual(told(lines), ["message", "sleep 300 failed", "notice Setup failed", "echo on completed"]);
  assert.match(String(lines[1]?.observation), /took longer than 1 s/);
});

test("files that a setup leaves unignored are named, and are part of the run's changes", async (t) => {
  const { create, entries, until, repositoryId, store, access } = await openWithSetup(t, {
    install: ["touch ignored made-by-setup"],
  });
  const run = await create(sh("true"), { repositoryId });
  await until(run.id, hasEnded);
  const lines = await entries(run.id);
  assert.deepEqual(told(lines), [
    "message",
    "touch ignored made-by-setup completed",
    "notice Setup changed files",
    "true completed",
  ]);
  assert.match(String(outputOf(lines[2] ?? ({} as LogEntry)).text), /: made-by-setup\. They will be part/);
  assert.match(Buffer.from((await store.runs.findDiff(access, run.id)) ?? []).toString(), /made-by-setup/);
});

test("a checkout that was deleted, or that an older version prepared, is set up again", async (t) => {
  const { create, entries, until, addTurn, accept, checkoutOf, repositoryId } = await openWithSetup(t, {
    install: ["echo one"],
    maintenance: ["echo upkeep"],
  });
  const run = await create(sh("true"), { repositoryId });
  await until(run.id, hasEnded);
  assert.ok(existsSync(join(checkoutOf(run.id), ".git")));
  rmSync(checkoutOf(run.id), { recursive: true });
  await addTurn(run.id, sh("true"));
  await until(run.id, ({ turns, status }) => turns === 2 && isEnd(status));
  await accept({ install: ["echo two"], maintenance: ["echo upkeep"] });
  await addTurn(run.id, sh("true"));
  await until(run.id, ({ turns, status }) => turns === 3 && isEnd(status));
  const commands = told(await entries(run.id)).filter((line) => line.startsWith("echo"));
  assert.deepEqual(commands, ["echo one completed", "echo one completed", "echo two completed"]);
});

test("read-only runs and runs without a repository are not set up; the first says so", async (t) => {
  const { create, entries, until, repositoryId } = await openWithSetup(t, { install: ["touch never"] });
  const readOnly = await create("Look around", { repositoryId, permissionMode: "read-only" });
  const alone = await create(sh("true"));
  await until(readOnly.id, hasEnded);
  await until(alone.id, hasEnded);
  assert.equal(told(await entries(readOnly.id))[1], "notice Setup not run");
  assert.deepEqual(told(await entries(alone.id)), ["message", "true completed"]);
});

test("two concurrent runs each set up their own checkout", async (t) => {
  const { create, entries, until, repositoryId } = await openWithSetup(t, {
    install: ["test ! -e ignored && echo $PWD > ignored"],
  });
  const runs = await Promise.all([
    create(sh("cat ignored"), { repositoryId }),
    create(sh("cat ignored"), { repositoryId }),
  ]);
  const printed = await Promise.all(
    runs.map(async ({ id }) => {
      assert.equal((await until(id, hasEnded)).status, "completed");
      const cat = (await entries(id)).find((entry) => inputOf(entry).command === "cat ignored");
      return outputOf(cat ?? ({} as LogEntry)).output;
    }),
  );
  assert.equal(new Set(printed).size, 2);
});

test("if reading the files takes too long, the agent is told so and finds the commands itself", async () => {
  const place = { runId: "1", path: "/nowhere", mirror: "/nowhere.git", branch: "errand/run-1" };
  const checkout = { ...place, baseBranch: "main", baseCommit: null };
  const late = new ThreadLimitError("Reading the files of the repository took longer than 60 s.");
  const workspace = { findSetup: () => Promise.reject(late) };
  const brief = await findSetupBrief(workspace, checkout, new AbortController().signal);
  assert.match(brief, /\n\(not known: Reading the files of the repository took longer than 60 s\.\)\n/);
  const broken = { findSetup: () => Promise.reject(new Error("broken")) };
  await assert.rejects(findSetupBrief(broken, checkout, new AbortController().signal), /broken/);
});

for (const command of ["rm -rf .git", 'rm -rf "$PWD"']) {
  test(`a setup that removes the checkout (${command}) has failed, and the log says so`, async (t) => {
    const { create, entries, until, repositoryId, store, access } = await openWithSetup(t, { install: [command] });
    const run = await create(sh("echo never"), { repositoryId });
    assert.equal((await until(run.id, hasEnded)).status, "failed");
    const lines = await entries(run.id);
    assert.match(JSON.stringify(lines.map(({ observation }) => observation)), /setup commands removed the checkout/);
    assert.equal((await store.setups.find(access, repositoryId))?.lastUse?.worked, false);
  });
}
