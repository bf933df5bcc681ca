// Tier: rest
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { hasEnded, openEngine, sh } from "./engine.fixture.ts";

async function openQueueing(t: TestContext) {
  const opened = await openEngine(t);
  const { store, access, entries } = opened;
  const say = (runId: number, prompt: string) => store.runs.addTurn(access, runId, { prompt, images: [], model: null });
  /** The turns as the log shows them: number and prompt of each message to the agent. */
  const told = async (runId: number) =>
    (await entries(runId)).flatMap(({ message_type, tool_input, observation }) =>
      message_type === "USER_MESSAGE" && tool_input !== null
        ? [[(tool_input as { turn: number }).turn, observation]]
        : [],
    );
  return { ...opened, say, told };
}

test("after a cancel a resumed turn runs alone, the held message when it is sent, each under its own number", async (t) => {
  const { store, access, engine, create, until, say, told } = await openQueueing(t);
  const [one, two, three] = [sh("sleep 600"), sh("echo two"), sh("echo three")];
  const run = await create(one);
  engine.start();
  await until(run.id, ({ totalLogs }) => totalLogs > 0);
  await say(run.id, two);
  await store.runs.cancel(access, run.id);
  const cancelled = await until(run.id, hasEnded);
  assert.deepEqual([cancelled.status, cancelled.turns, cancelled.queuedTurns], ["cancelled", 2, 1]);

  await say(run.id, three);
  const resumed = await until(run.id, ({ resultTurn }) => resultTurn === 3);
  assert.deepEqual([resumed.turns, resumed.queuedTurns], [3, 1]);
  assert.ok("run" in (await store.turns.sendHeld(access, run.id)));
  const sent = await until(run.id, ({ status, resultTurn }) => status === "completed" && resultTurn === 2);
  assert.deepEqual([sent.turns, sent.queuedTurns], [3, 0]);
  assert.deepEqual(await told(run.id), [
    [1, one],
    [3, three],
    [2, two],
  ]);
});

test("a turn that never reached its agent holds those that wait, one that failed at work does not", async (t) => {
  const { engine, create, until, say, told } = await openQueueing(t);
  const unknown = await create("Do something", { agent: "unknown" });
  await say(unknown.id, "And this");
  const failing = await create(sh("exit 3"));
  await say(failing.id, sh("echo on"));
  engine.start();
  const stopped = await until(unknown.id, hasEnded);
  assert.deepEqual([stopped.status, stopped.queuedTurns], ["failed", 1]);
  assert.deepEqual(await told(unknown.id), [[1, "Do something"]]);
  const ended = await until(failing.id, hasEnded);
  assert.deepEqual([ended.status, ended.queuedTurns, ended.resultTurn], ["completed", 0, 2]);
});

test("stopping the engine holds waiting turns", async (t) => {
  const { engine, create, until, say } = await openQueueing(t);
  const run = await create(sh("sleep 600"));
  await say(run.id, sh("echo two"));
  engine.start();
  await until(run.id, ({ totalLogs }) => totalLogs > 0);
  await engine.stop();
  const ended = await until(run.id, hasEnded);
  assert.deepEqual([ended.status, ended.queuedTurns], ["interrupted", 1]);
});
