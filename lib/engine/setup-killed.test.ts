// Tier: rest
import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { SetupCommands } from "#lib/contract/repositories/setup.ts";
import { isEnd } from "#lib/contract/runs/run-status.ts";
import { readPreparedMark } from "#lib/workspace/prepared-mark.ts";
import { makeRepository, temporaryFolder } from "#lib/workspace/test-repository.ts";
import { hasEnded, openEngine, sh } from "./engine.fixture.ts";
import { createRunWorkspace } from "./run-workspace.ts";

/** The engine's own program, as the service starts it. */
async function forkEngine(t: TestContext, dataDir: string): Promise<ChildProcess> {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ERRAND_DATA_DIR: dataDir,
    ERRAND_SANDBOX: "process-group",
    ERRAND_LOG_LEVEL: "silent",
  };
  const engine = fork(join(import.meta.dirname, "main.ts"), [], { env, execArgv: [] });
  t.after(() => engine.kill("SIGKILL"));
  const [told] = await once(engine, "message");
  assert.equal(told.kind, "ready", JSON.stringify(told));
  return engine;
}

const cut = "test -e ../again || { echo $$ > ../pid; echo begun; exec sleep 300; }";

test("an engine that is killed in the middle of a setup leaves a closed log and no process, and the next turn sets up again", async (t) => {
  const dataDir = temporaryFolder(t);
  const environment = { PATH: process.env.PATH ?? "" };
  const workspace = createRunWorkspace({ dataDir, environment, sandbox: "process-group" });
  // The engine after the killed one; on this clock the old lease has expired.
  let aheadMs = 0;
  const now = () => new Date(Date.now() + aheadMs);
  const { store, access, engine, create, entries, until } = await openEngine(t, { workspace }, { dataDir, now });
  const source = join(temporaryFolder(t), "source");
  makeRepository(source, { ".gitignore": "ignored\n" });
  const names = { name: "x", fullName: "o/x", description: null, source, defaultBranch: "main" };
  const { id: repositoryId } = (await store.repositories.add(access, names)).repository;
  const setup = SetupCommands.parse({ install: ["echo one >> ignored", cut], maintenance: ["echo upkeep"] });
  await store.setups.change(access, repositoryId, setup, null);
  const run = await create(sh("echo never"), { repositoryId });
  const checkout = join(dataDir, "checkouts", String(run.id));
  const isMarked = async () => (await readPreparedMark(checkout)) !== null;

  const killed = await forkEngine(t, dataDir);
  const shown = async () => (await store.runs.findProgress(access, run.id))?.tools[0]?.output;
  for (const endsAt = Date.now() + 20_000; (await shown()) !== "begun\n"; ) {
    assert.ok(Date.now() < endsAt, "the command is at work");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  killed.kill("SIGKILL");
  await once(killed, "exit");
  assert.equal((await store.runs.find(access, run.id))?.status, "running");
  assert.equal(await isMarked(), false);

  aheadMs = 60_000;
  await workspace.sweep();
  engine.start();
  assert.equal((await until(run.id, hasEnded)).status, "interrupted");
  const pid = Number(readFileSync(join(dataDir, "checkouts", "pid"), "utf8"));
  assert.ok(isGone(pid), "the command was ended with the engine's other processes");
  const lines = await entries(run.id);
  assert.deepEqual(told(lines), [
    "message",
    "echo one >> ignored completed",
    `${cut} interrupted`,
    "error interrupted",
  ]);
  assert.equal(outputOf(lines[2])?.output, "begun\n");
  assert.equal(await isMarked(), false);
  const kept = await store.setups.find(access, repositoryId);
  assert.deepEqual(
    [kept?.status, kept?.lastUse],
    ["ready", null],
    "a setup that was cut short says nothing of its commands",
  );

  writeFileSync(join(dataDir, "checkouts", "again"), "");
  await store.runs.addTurn(access, run.id, { prompt: sh("cat ignored"), images: [], model: null });
  await until(run.id, ({ turns, status }) => turns === 2 && isEnd(status));
  assert.deepEqual(told((await entries(run.id)).slice(lines.length)), [
    "message",
    "echo one >> ignored completed",
    `${cut} completed`,
    "cat ignored completed",
  ]);
  assert.equal(await isMarked(), true);
  assert.equal((await store.setups.find(access, repositoryId))?.lastUse?.worked, true);
});

/** True for a process that has ended, even if nobody has waited for it yet. Uses /proc on Linux. */
function isGone(pid: number): boolean {
  const stat = existsSync("/proc/self/stat") ? readText(`/proc/${pid}/stat`) : null;
  if (stat !== null) return stat === "" || stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
  try {
    return !process.kill(pid, 0);
  } catch {
    return true;
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}

const outputOf = (entry: LogEntry | undefined) => Object(entry?.tool_output) as Record<string, unknown>;

/** What a run did, one line a step. */
function told(entries: LogEntry[]): string[] {
  return entries.flatMap((entry) => {
    if (entry.message_type === "USER_MESSAGE") return ["message"];
    if (entry.message_type === "ERROR") return [`error ${Object(entry.observation).code}`];
    if (entry.message_type !== "ACTION") return [];
    return [`${Object(entry.tool_input).command} ${outputOf(entry).status}`];
  });
}
