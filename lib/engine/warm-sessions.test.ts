// Tier: rest
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { scriptedProfile } from "#lib/agents/acp/scripted-profile.fixture.ts";
import type { Isolation } from "#lib/contract/runs/isolation.ts";
import { listProcesses } from "#lib/workspace/process-table.ts";
import { temporaryFolder } from "#lib/workspace/test-repository.ts";
import { probeWall } from "#lib/workspace/wall-probe.ts";
import { hasEnded, openEngine } from "./engine.fixture.ts";
import { createRunWorkspace } from "./run-workspace.ts";
import { type WarmSession, WarmSessions } from "./warm-sessions.ts";

const environment = { PATH: process.env.PATH ?? "" };
const { holds } = await probeWall({ dataDir: tmpdir(), env: environment, user: null, hidden: [] });
const profile = scriptedProfile({ resume: "ok", modes: ["ask", "free"] });

/** An engine that keeps agents, if the wall holds; null if it does not. */
async function open(t: TestContext, { warmMs = 60_000, concurrency = 2, isolation = "wall" as Isolation } = {}) {
  if (!holds) {
    t.skip("the wall does not hold here");
    return null;
  }
  const dataDir = temporaryFolder(t);
  const workspace = createRunWorkspace({ dataDir, environment, sandbox: "auto" });
  const opened = await openEngine(t, { workspace, profiles: [profile], isolation, warmMs, concurrency }, { dataDir });
  opened.engine.start();
  const begin = (prompt: string) => opened.create(prompt, { agent: "scripted" });
  const addTurn = (runId: number, prompt: string) =>
    opened.store.runs.addTurn(opened.access, runId, { prompt, images: [], model: null });
  const end = (runId: number, turns: number) =>
    opened.until(runId, (run) => hasEnded(run) && run.turns === turns && run.queuedTurns === 0);
  const sessions = async (runId: number) =>
    (await opened.entries(runId))
      .filter(({ message_type }) => message_type === "USER_MESSAGE")
      .map(({ tool_input }) => (tool_input as { session?: string } | null)?.session);
  return { ...opened, dataDir, begin, addTurn, end, sessions };
}

test("a turn that waits, and one soon after the end, go on in the same process", async (t) => {
  const opened = await open(t);
  if (opened === null) return;
  const { begin, addTurn, end, sessions } = opened;
  const run = await begin("one");
  await addTurn(run.id, "two");
  await end(run.id, 2);
  await addTurn(run.id, "three");
  const ended = await end(run.id, 3);
  assert.deepEqual(await sessions(run.id), ["new", "continued", "continued"]);
  assert.deepEqual([ended.status, ended.result, ended.tokens?.total], ["completed", "said: three", 36]);
});

test("a run with waiting turns keeps its process while other runs start", async (t) => {
  const opened = await open(t);
  if (opened === null) return;
  const { begin, addTurn, end, sessions } = opened;
  const run = await begin("one");
  for (const prompt of ["two", "three", "four"]) await addTurn(run.id, prompt);
  const others = await Promise.all(["a", "b", "c", "d", "e"].map((prompt) => begin(prompt)));
  await end(run.id, 4);
  for (const other of others) await end(other.id, 1);
  assert.deepEqual(await sessions(run.id), ["new", "continued", "continued", "continued"]);
});

test("between its turns no process of a kept agent runs, and its work is committed", async (t) => {
  const opened = await open(t);
  if (opened === null) return;
  const { dataDir, begin, addTurn, end, sessions, store, access } = opened;
  const run = await begin("WRITE-ON busy.txt");
  await end(run.id, 1);
  const file = join(dataDir, "checkouts", String(run.id), "busy.txt");
  const size = () => statSync(file).size;
  const before = size();
  assert.ok(before > 0);
  await wait(300);
  assert.equal(size(), before, "it wrote while it should have been stopped");
  assert.equal((await store.runs.find(access, run.id))?.changes?.files, 1);
  await addTurn(run.id, "hello");
  await end(run.id, 2);
  assert.deepEqual(await sessions(run.id), ["new", "continued"]);
  assert.ok(size() > before, "it went on in its next turn");
});

test("an agent is kept for the time that is set, while others need no room, and not for a turn with other keys", async (t) => {
  const short = await open(t, { warmMs: 50 });
  if (short === null) return;
  const soon = await short.begin("one");
  await short.end(soon.id, 1);
  await wait(1500);
  await short.addTurn(soon.id, "two");
  await short.end(soon.id, 2);
  assert.deepEqual(await short.sessions(soon.id), ["new", "resumed"]);

  const narrow = await open(t, { concurrency: 1 });
  if (narrow === null) return;
  const first = await narrow.begin("one");
  await narrow.end(first.id, 1);
  const second = await narrow.begin("other");
  await narrow.end(second.id, 1);
  await narrow.addTurn(first.id, "two");
  await narrow.end(first.id, 2);
  assert.deepEqual(await narrow.sessions(first.id), ["new", "resumed"]);

  const keyed = await open(t);
  if (keyed === null) return;
  const run = await keyed.begin("one");
  await keyed.end(run.id, 1);
  await keyed.store.agentKeys.put(keyed.access, { variable: "ANY_KEY", repositoryId: null, sealed: "x" });
  await keyed.addTurn(run.id, "two");
  await keyed.end(run.id, 2);
  assert.deepEqual(await keyed.sessions(run.id), ["new", "resumed"]);
});

test("on the leash an agent ends with its turn: stopped, it would hold ports and locks of the machine", async (t) => {
  const opened = await open(t, { isolation: "leash" });
  if (opened === null) return;
  const { begin, addTurn, end, sessions } = opened;
  const run = await begin("one");
  await addTurn(run.id, "two");
  await end(run.id, 2);
  assert.deepEqual(await sessions(run.id), ["new", "resumed"]);
});

test("an agent that has left the run's mode is not kept: its next turn begins in that mode", async (t) => {
  const opened = await open(t);
  if (opened === null) return;
  const { begin, addTurn, end, sessions } = opened;
  const run = await begin("MODE ask");
  await end(run.id, 1);
  await addTurn(run.id, "MODE free");
  await end(run.id, 2);
  await addTurn(run.id, "three");
  await end(run.id, 3);
  assert.deepEqual(await sessions(run.id), ["new", "continued", "resumed"]);
});

test("a turn that fails keeps no agent", async (t) => {
  const opened = await open(t);
  if (opened === null) return;
  const { begin, addTurn, end, sessions } = opened;
  const failed = await begin("RPC-ERROR");
  await end(failed.id, 1);
  await addTurn(failed.id, "two");
  await end(failed.id, 2);
  assert.deepEqual(await sessions(failed.id), ["new", "resumed"]);
});

test("a kept agent ends before the files of its run are removed", async (t) => {
  const opened = await open(t);
  if (opened === null) return;
  const { engine, begin, addTurn, end, sessions } = opened;
  const run = await begin("one");
  await end(run.id, 1);
  assert.ok(engine.endKept(run.id));
  while (engine.endKept(run.id)) await wait(20);
  await addTurn(run.id, "two");
  await end(run.id, 2);
  assert.deepEqual(await sessions(run.id), ["new", "resumed"]);
});

test("a service that stops leaves no kept agent behind", async (t) => {
  const opened = await open(t);
  if (opened === null) return;
  const { engine, dataDir, begin, end } = opened;
  const run = await begin("one");
  await end(run.id, 1);
  const checkout = join(dataDir, "checkouts", String(run.id));
  const found = async () =>
    (await listProcesses()).filter(({ pid }) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(checkout);
      } catch {
        return false;
      }
    });
  assert.notDeepEqual(await found(), []);
  await engine.stop();
  assert.deepEqual(await found(), []);
});

test("a run at work keeps its agent, though another needs room or its time is over", async () => {
  let isAtWork = true;
  const warm = new WarmSessions(20, () => isAtWork);
  const nothing = { close: async () => {} };
  warm.keep(1, { session: nothing, place: nothing } as unknown as WarmSession);
  await warm.limitTo(0, 2);
  await wait(60);
  assert.ok(warm.has(1));
  isAtWork = false;
  await warm.limitTo(0, 2);
  assert.ok(!warm.has(1));
});
