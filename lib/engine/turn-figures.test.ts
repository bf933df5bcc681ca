import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { scriptedProfile } from "#lib/agents/acp/scripted-profile.fixture.ts";
import { hasEnded, openEngine } from "./engine.fixture.ts";

test("what a turn has used so far is written with the agent's state, which counts on from it after a kill", async (t) => {
  const { engine, dataDir, store, access, create, until } = await openEngine(t, { profiles: [scriptedProfile({})] });
  engine.start();
  const { id } = await create("COST 0.3", { agent: "scripted" });
  await until(id, ({ costUsd }) => costUsd === 0.3);
  const database = new DatabaseSync(join(dataDir, "errand.db"), { readOnly: true });
  t.after(() => database.close());
  const { agent_state } = database.prepare("select agent_state from runs").get() ?? {};
  const { cost_usd, session_cost_usd } = JSON.parse(String(agent_state));
  assert.deepEqual([cost_usd, session_cost_usd], [0.3, 0.3]);
  await store.runs.cancel(access, id);
  await until(id, hasEnded);
});

test("each turn has the model, tokens and cost that its agent reported for it, and their sums are the run's", async (t) => {
  const { engine, dataDir, store, access, create, until } = await openEngine(t, {
    profiles: [scriptedProfile({ models: "config", resume: "ok" })],
  });
  engine.start();
  const { id } = await create("PAY 0.3", { agent: "scripted" });
  const endOf = (turn: number) => until(id, (run) => hasEnded(run) && run.turns === turn);
  await endOf(1);
  await store.runs.addTurn(access, id, { prompt: "PAY 0.5", images: [], model: "large" });
  await endOf(2);
  await store.runs.addTurn(access, id, { prompt: "UNCOUNTED", images: [], model: null });
  const run = await endOf(3);
  const database = new DatabaseSync(join(dataDir, "errand.db"), { readOnly: true });
  t.after(() => database.close());
  const figures = database.prepare("select agent, used_model, tokens, cost_usd from turns order by number").all();
  const tokens = JSON.stringify({ input: 10, output: 2, total: 12 });
  assert.deepEqual(
    figures.map((turn) => Object.values(turn)),
    [
      ["scripted", "small", tokens, 0.3],
      ["scripted", "large", tokens, 0.2],
      ["scripted", "large", null, null],
    ],
  );
  assert.deepEqual([run.tokens?.total, run.costUsd], [24, 0.5]);
});
