// Tier: rest
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { AwakeTimer } from "#lib/awake-timer.ts";
import { mirrorPath, withMirrorLock } from "#lib/workspace/mirror.ts";
import { makeRepository, temporaryFolder } from "#lib/workspace/test-repository.ts";
import { WorkspaceError } from "#lib/workspace/workspace-error.ts";
import { hasEnded, openEngine, sh } from "./engine.fixture.ts";
import { createRunWorkspace } from "./run-workspace.ts";

test("a turn's work is kept even if others use the mirror of its repository for minutes", async (t) => {
  const dataDir = temporaryFolder(t);
  const environment = { PATH: process.env.PATH ?? "" };
  const workspace = createRunWorkspace({ dataDir, environment, sandbox: "process-group" });
  const { engine, store, access, create, until } = await openEngine(t, { workspace }, { dataDir });
  const source = join(temporaryFolder(t), "source");
  makeRepository(source);
  const names = { name: "x", fullName: "o/x", description: null, source, defaultBranch: "main" };
  const { id: repositoryId } = (await store.repositories.add(access, names)).repository;
  engine.start();
  const { id } = await create(sh("true"), { repositoryId });
  await until(id, hasEnded);

  const running = new Set<AwakeTimer>();
  const { restart, stop } = AwakeTimer.prototype;
  t.mock.method(AwakeTimer.prototype, "restart", function (this: AwakeTimer) {
    running.add(this);
    restart.call(this);
  });
  t.mock.method(AwakeTimer.prototype, "stop", function (this: AwakeTimer) {
    running.delete(this);
    stop.call(this);
  });
  const lockMs = 15 * 60_000;
  const gate = join(temporaryFolder(t), "gate");
  execFileSync("mkfifo", [gate]);
  await store.runs.addTurn(access, id, { prompt: sh(`cat '${gate}' > new.txt`), images: [], model: null });
  // Opened once the agent is at work.
  const opened = await open(gate, "w");
  await withMirrorLock({ path: mirrorPath(dataDir, repositoryId) }, async () => {
    running.clear();
    await opened.writeFile("two\n");
    await opened.close();
    while (![...running].some(({ limitMs }) => limitMs === lockMs)) await delay(10);
    const limits = [...running].map(({ limitMs }) => limitMs);
    assert.deepEqual([limits.length > 1, limits.filter((ms) => ms < lockMs)], [true, []]);
  });
  const { status } = await until(id, (run) => run.turns === 2 && hasEnded(run));
  assert.equal(status, "completed");
  assert.match(Buffer.from((await store.runs.findDiff(access, id)) ?? []).toString(), /\+two/);
});

test("a turn whose commits build on a history fetched in part is completed, and says that they are one commit", async (t) => {
  const { engine, entries, create, until } = await openEngine(t);
  engine.start();
  const fetched =
    "git init -q ../other; cd ../other; git commit -q --allow-empty -m 1; git commit -q --allow-empty -m 2";
  const who = "export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b";
  const take = 'git fetch -q --depth=1 "file://$PWD/../other" && git reset -q --hard FETCH_HEAD && echo x > new.txt';
  const { id } = await create(sh(`(${who}; ${fetched}); ${take}`));
  assert.equal((await until(id, hasEnded)).status, "completed");
  const codes = (await entries(id)).flatMap(({ message_type, observation }) =>
    message_type === "ERROR" ? [Object(observation).code] : [],
  );
  assert.deepEqual(codes, ["commits_not_kept"]);
});

test("work that finds no space is kept once there is some; another failure of the system names no folder", async (t) => {
  const dataDir = temporaryFolder(t);
  const workspace = createRunWorkspace({
    dataDir,
    environment: { PATH: process.env.PATH ?? "" },
    sandbox: "process-group",
  });
  const { keep } = workspace;
  let failure: Error | null = null;
  workspace.keep = async (...given) => {
    const thrown = failure;
    failure = null;
    if (thrown !== null) throw thrown;
    return keep(...given);
  };
  const { engine, entries, create, until } = await openEngine(t, { workspace }, { dataDir });
  engine.start();
  failure = new WorkspaceError("disk_full", "The disk is full.");
  const kept = await create(sh("true"));
  assert.equal((await until(kept.id, hasEnded)).status, "completed");
  assert.equal(failure, null);

  failure = Object.assign(new Error(`EIO: i/o error, open '${dataDir}'`), { code: "EIO", syscall: "open" });
  const lost = await create(sh("true"));
  assert.equal((await until(lost.id, hasEnded)).status, "failed");
  const { message_type, observation } = (await entries(lost.id)).at(-1) ?? {};
  assert.deepEqual([message_type, Object(observation).code], ["ERROR", "work_not_kept"]);
  assert.equal(Object(Object(observation).data ?? observation).work_left_out, true);
  assert.equal(
    Object(observation).message,
    "The work of this turn could not be saved: The operating system answered EIO.",
  );
});

test("a run whose work never finds space can be cancelled", async (t) => {
  const dataDir = temporaryFolder(t);
  const environment = { PATH: process.env.PATH ?? "" };
  const workspace = createRunWorkspace({ dataDir, environment, sandbox: "process-group" });
  let tries = 0;
  workspace.keep = async () => {
    tries += 1;
    throw new WorkspaceError("disk_full", "The disk is full.");
  };
  const { engine, store, access, entries, create, until } = await openEngine(t, { workspace }, { dataDir });
  engine.start();
  const { id } = await create(sh("true"));
  await until(id, () => tries > 0);
  assert.equal((await store.runs.cancel(access, id))?.status, "running");
  assert.equal((await until(id, hasEnded)).status, "failed");
  const last = Object((await entries(id)).at(-1)?.observation);
  assert.deepEqual(
    [last.code, last.message],
    ["work_not_kept", "The work of this turn could not be saved: The disk is full."],
  );
});

test("a cancel ends the keeping of work that takes long: it is told, and the next turn keeps it", async (t) => {
  const dataDir = temporaryFolder(t);
  const environment = { PATH: process.env.PATH ?? "" };
  const workspace = createRunWorkspace({ dataDir, environment, sandbox: "process-group" });
  const { keep } = workspace;
  let isSlow = true;
  let isKeeping = false;
  workspace.keep = async (work, signal) => {
    if (!isSlow) return keep(work, signal);
    isKeeping = true;
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  };
  const { engine, store, access, entries, create, until } = await openEngine(
    t,
    { workspace, keepCancelledMs: 50 },
    { dataDir },
  );
  engine.start();
  const { id } = await create(sh("echo x > x.txt"));
  await until(id, () => isKeeping);
  await store.runs.cancel(access, id);
  assert.equal((await until(id, hasEnded)).status, "cancelled");
  const last = Object((await entries(id)).at(-1)?.observation);
  assert.deepEqual([last.code, /still in the checkout/.test(last.message)], ["work_not_kept", true]);
  isSlow = false;
  await store.runs.addTurn(access, id, { prompt: sh("true"), images: [], model: null });
  assert.equal((await until(id, (run) => run.turns === 2 && hasEnded(run))).status, "completed");
  assert.match(Buffer.from((await store.runs.findDiff(access, id)) ?? []).toString(), /\+x/);
});
