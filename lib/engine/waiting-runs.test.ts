// Tier: rest
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { RunRow } from "#lib/store/store.ts";
import { countOf } from "#lib/test-counts.fixture.ts";
import { hasEnded, openEngine, sh } from "./engine.fixture.ts";

/** A test on a busy machine may take minutes, so no limit here is one that a test waits for. */
const patient = { startMs: 600_000, inactivityMs: 600_000, turnMs: 600_000, questionMs: 600_000, stopGraceMs: 2000 };
const isWaiting = ({ status, question }: RunRow) => status === "waiting" && question !== null;

async function openAsking(t: TestContext, concurrency: number) {
  const opened = await openEngine(t, { concurrency, limits: patient });
  const { store, access, create, until } = opened;
  /** Creates a run that waits for a person once it is claimed. */
  const ask = () => create(sh("echo allowed"), { permissionMode: "ask" });
  const allow = async (runId: number) => {
    const { question } = await until(runId, isWaiting);
    const option = question?.options.find(({ kind }) => kind === "allow_once");
    assert.ok(question !== null && option !== undefined);
    assert.equal(await store.runs.answer(access, runId, question.id, option.id), true);
  };
  const statusOf = async (runId: number) => (await store.runs.find(access, runId))?.status;
  return { ...opened, ask, allow, statusOf };
}

test("runs that wait for a person do not block others, and an answered one continues while every slot is taken", async (t) => {
  const { engine, create, ask, allow, until, statusOf } = await openAsking(t, 2);
  const asking = [await ask(), await ask()] as const;
  engine.start();
  for (const { id } of asking) await until(id, isWaiting);
  const busy = [await create(sh("sleep 600")), await create(sh("sleep 600"))];
  for (const { id } of busy) await until(id, ({ totalLogs }) => totalLogs > 0);
  await allow(asking[0].id);
  assert.equal((await until(asking[0].id, hasEnded)).status, "completed");
  for (const { id } of busy) assert.equal(await statusOf(id), "running");
  assert.equal(await statusOf(asking[1].id), "waiting");
});

const concurrency = countOf({ short: 1, long: 2 });
const free = 8 * concurrency;

test(`with ${concurrency} at once ${free} waiting runs hold no slot, further ones do`, async (t) => {
  const { store, access, engine, create, entries, ask, allow, until, statusOf } = await openAsking(t, concurrency);
  const asking: RunRow[] = [];
  for (let count = 0; count < free + concurrency; count += 1) asking.push(await ask());
  engine.start();
  // All of them reach their question: those that hold no slot, and one for each slot.
  for (const { id } of asking) await until(id, isWaiting);
  const next = await create(sh("echo next"));
  const [answered, cancelled] = asking;
  assert.ok(answered !== undefined && cancelled !== undefined);
  // While the answered run is at work it holds the slot that the last waiting one held, so nothing is claimed before it ends.
  await allow(answered.id);
  const first = await until(answered.id, hasEnded);
  const second = await until(next.id, hasEnded);
  assert.deepEqual([first.status, second.status], ["completed", "completed"]);
  assert.ok((first.finishedAt ?? "") <= (second.startedAt ?? ""), `${first.finishedAt} ${second.startedAt}`);
  assert.ok(JSON.stringify(await entries(answered.id)).includes("allowed"));

  const last = await ask();
  await until(last.id, isWaiting);
  const held = await create(sh("echo held"));
  await store.runs.cancel(access, cancelled.id);
  assert.equal((await until(cancelled.id, hasEnded)).status, "cancelled");
  assert.equal((await until(held.id, hasEnded)).status, "completed");
  assert.equal(await statusOf(last.id), "waiting");
});
