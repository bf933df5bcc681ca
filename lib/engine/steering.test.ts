// Tier: rest
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { temporaryFolder } from "#lib/workspace/test-repository.ts";
import { hasEnded, openEngine, sh } from "./engine.fixture.ts";

/** A run of the built-in agent whose first step lasts until `finishStep`, and whose agent accepts messages. */
async function atWork(t: TestContext, last = "echo last") {
  const opened = await openEngine(t);
  const { store, access, engine, create, until, entries } = opened;
  const gate = join(temporaryFolder(t), "open");
  const run = await create(sh(`until [ -e '${gate}' ]; do sleep 0.05; done`, last));
  engine.start();
  await until(run.id, ({ isSteerable }) => isSteerable);
  const say = (prompt: string) =>
    store.runs.addTurn(access, run.id, { prompt, images: [], model: null }, { atNextStep: true });
  const told = async () =>
    (await entries(run.id)).map(({ message_type, tool_input, observation }) =>
      message_type === "USER_MESSAGE"
        ? `${JSON.stringify(tool_input)} ${observation}`
        : message_type === "ACTION"
          ? (tool_input as { command?: string }).command?.trim()
          : message_type,
    );
  const queue = async () => {
    const listed = await store.turns.listQueued(access, run.id, { skip: 0, limit: 100 });
    return listed?.items.map(({ number, state, steering }) => `${number} ${state} ${steering}`);
  };
  return { ...opened, id: run.id, say, told, queue, finishStep: () => writeFile(gate, ""), gate };
}

test("a message reaches the agent at its next step, and the run has one turn", async (t) => {
  const { id, say, told, queue, finishStep, until } = await atWork(t);
  await Promise.all([say(sh("echo first message")), say(sh("echo second message"))]);
  await until(id, ({ queuedTurns }) => queuedTurns === 0);
  await finishStep();
  const ended = await until(id, hasEnded);
  assert.deepEqual([ended.status, ended.turns, ended.isSteerable], ["completed", 1, false]);
  const steps = (await told()).filter((step) => step !== "PLAN_EVALUATION");
  const messages = steps.slice(1, 3);
  assert.match(messages[0] ?? "", /^\{"message":2,"during_turn":1\} [\s\S]*echo first message/);
  assert.match(messages[1] ?? "", /^\{"message":3,"during_turn":1\} [\s\S]*echo second message/);
  assert.deepEqual(steps.slice(4), ["echo first message", "echo second message", "echo last", "FINAL_ANSWER"]);
  assert.deepEqual(await queue(), []);
});

test("a message that the agent cannot take becomes the next turn", async (t) => {
  const { id, say, finishStep, queue, until, told } = await atWork(t);
  // The built-in agent takes only steps during a turn: text without one needs its own turn.
  await say("What is here?");
  await until(id, ({ queuedTurns }) => queuedTurns === 1);
  while ((await queue())?.[0] !== "2 waiting no") await new Promise((resolve) => setTimeout(resolve, 25));
  await finishStep();
  const ended = await until(id, hasEnded);
  assert.deepEqual([ended.turns, ended.resultTurn], [2, 2]);
  assert.ok((await told()).some((step) => /"turn":2.* What is here\?$/.test(step ?? "")));
});

test("messages of a run that is cancelled or whose service stops are held", async (t) => {
  for (const stop of ["cancel", "stop"] as const) {
    const { id, say, queue, until, store, access, engine, gate } = await atWork(t);
    await say("Words without a step");
    if (stop === "cancel") await store.runs.cancel(access, id);
    else await engine.stop();
    const ended = await until(id, hasEnded);
    assert.deepEqual([ended.status, ended.queuedTurns], [stop === "cancel" ? "cancelled" : "interrupted", 1]);
    assert.deepEqual(await queue(), ["2 held no"]);
    assert.ok(!existsSync(gate));
  }
});

test("a message still reaches the agent while it waits for a person's answer", async (t) => {
  const { store, access, engine, create, until } = await openEngine(t);
  const run = await create(sh("echo one", "echo two"), { permissionMode: "ask" });
  engine.start();
  const asked = await until(run.id, ({ question }) => question !== null);
  await store.runs.addTurn(access, run.id, { prompt: sh("echo three"), images: [], model: null }, { atNextStep: true });
  const steered = await until(run.id, ({ queuedTurns }) => queuedTurns === 0);
  assert.deepEqual([steered.status, steered.turns], ["waiting", 1]);
  assert.ok(asked.question !== null);
  await store.runs.answer(access, run.id, asked.question.id, "allow_always");
  assert.match((await until(run.id, hasEnded)).result ?? "", /echo one.*\n.*echo three.*\n.*echo two/);
});
