import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { line, openSession, prompt, sessionId, thought } from "#lib/store/claude-code/claude.fixture.ts";
import { type OpenStore, openFixture } from "#lib/store/conformance.fixture.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import { makeStoreFolder } from "#lib/store-folder.fixture.ts";

async function newStore(t: TestContext) {
  const folder = await makeStoreFolder("errand-store-");
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "errand.db");
  const open: OpenStore = (now) => openStore({ file, now });
  /** Agent, model, total of tokens and cost of each turn. */
  const figures = () => {
    const database = new DatabaseSync(file, { readOnly: true });
    const rows = database.prepare("select agent, used_model, tokens ->> 'total', cost_usd from turns").all();
    database.close();
    return rows.map((row) => Object.values(row));
  };
  return { open, figures };
}

const counted = (total: number) => ({ tokens: { input: total - 1, output: 1, total } });

test("a turn has what it added to its run's totals, whichever turn starts first", async (t) => {
  const { open, figures } = await newStore(t);
  const { store, access, startRun, claim, finish, advance } = await openFixture(t, open);
  const { lease, run } = await startRun({ agent: "claude-code", model: "opus" });
  await store.queue.setFigures(lease, { model: "opus-4-6", costUsd: 0.1, ...counted(10) });
  const add = (prompt: string) => store.runs.addTurn(access, run.id, { prompt, images: [], model: null });
  await add("held by the cancel");
  await store.runs.cancel(access, run.id);
  await finish(lease, "cancelled");
  assert.deepEqual(figures()[0], ["claude-code", "opus-4-6", 10, 0.1]);
  advance(1);
  await add("starts before it");
  const third = (await claim()).lease;
  await store.queue.setFigures(third, { costUsd: 0.3 });
  await finish(third);
  advance(1);
  await store.turns.sendHeld(access, run.id);
  const second = (await claim()).lease;
  await store.queue.setFigures(second, { model: "haiku", costUsd: 0.3, ...counted(17) });
  await finish(second);
  assert.deepEqual(figures(), [
    ["claude-code", "opus-4-6", 10, 0.1],
    ["claude-code", "haiku", 7, null],
    ["claude-code", "opus-4-6", null, 0.2],
  ]);
});

test("an external run reports no figures: its turns have none", async (t) => {
  const { open, figures } = await newStore(t);
  const { store, access, makeRun } = await openFixture(t, open);
  const { id } = await makeRun({ agent: "external" });
  await store.external.update(access, id, { status: "completed" });
  assert.deepEqual(figures(), [["external", null, null, null]]);
});

test("turns of a Claude Code session have the tokens of their lines, also of late ones, and the cost of the telemetry", async (t) => {
  const { open, figures } = await newStore(t);
  const { store, access, runId, take, report } = await openSession(t, open);
  const tell = (messageId: string, input: number) =>
    store.claudeSessions.take(
      access,
      sessionId,
      line([thought("x")], { usage: { messageId, input, output: 1 }, model: "opus-4-6" }),
    );
  await take(prompt("Go"));
  await tell("m1", 9);
  await take(prompt("And now"));
  await tell("m2", 19);
  await report("COMPLETE");
  await tell("m2", 29);
  const used = ["external", "opus-4-6"];
  assert.deepEqual(figures(), [
    [...used, 10, null],
    [...used, 30, null],
  ]);
  await store.claudeTelemetry.keep(access, [
    {
      kind: "event",
      name: "claude_code.api_request",
      atMs: 1,
      atNs: null,
      startedMs: null,
      sessionId,
      attributes: { cost_usd: 0.5 },
      value: null,
      isCumulative: false,
    },
  ]);
  assert.deepEqual(figures()[1], [...used, 30, (await store.runs.find(access, runId))?.costUsd]);
});
