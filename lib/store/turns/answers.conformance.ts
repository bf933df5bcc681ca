import assert from "node:assert/strict";
import { test } from "node:test";
import { messages, type OpenStore, openFixture } from "#lib/store/conformance.fixture.ts";
import type { Lease } from "#lib/store/runs/queue-store.ts";

const nothing = [null, null, null];

/** Answers of runs and their turns. */
export function answerConformance(open: OpenStore): void {
  async function openAnswering(t: Parameters<typeof openFixture>[0]) {
    const fixture = await openFixture(t, open);
    const { store, access, claim } = fixture;
    const shown = async (runId: number) => {
      const run = await store.runs.find(access, runId);
      return [run?.result, run?.summary, run?.resultTurn];
    };
    const resume = async (runId: number) => {
      await store.runs.addTurn(access, runId, { prompt: "more", images: [], model: null });
      return (await claim()).lease;
    };
    const end = (lease: Lease, status: "completed" | "failed", result: string | null) =>
      store.queue.finishTurn(lease, { status, result, summary: result && `${result}!`, entries: messages(2) });
    return { ...fixture, shown, resume, end };
  }

  test("a run shows the answer of its last turn that had one, while a later turn waits, works and fails", async (t) => {
    const { store, access, startRun, claim, shown, resume, end } = await openAnswering(t);
    const { run, lease } = await startRun();
    assert.deepEqual(await shown(run.id), nothing);
    await end(lease, "completed", "one");
    assert.deepEqual(await shown(run.id), ["one", "one!", 1]);
    assert.equal((await store.runs.find(access, run.id))?.resultSeq, 2);

    await store.runs.addTurn(access, run.id, { prompt: "more", images: [], model: null });
    assert.deepEqual(await shown(run.id), ["one", "one!", 1]);
    const second = (await claim()).lease;
    assert.deepEqual(await shown(run.id), ["one", "one!", 1]);
    await end(second, "failed", null);
    assert.deepEqual(await shown(run.id), ["one", "one!", 1]);

    await end(await resume(run.id), "completed", "three");
    assert.deepEqual(await shown(run.id), ["three", "three!", 3]);
    assert.equal((await store.runs.find(access, run.id))?.resultSeq, 6);
  });

  test("result, summary and its turn are all null while no turn has answered", async (t) => {
    const { startRun, shown, resume, end } = await openAnswering(t);
    const { run, lease } = await startRun();
    await end(lease, "failed", null);
    assert.deepEqual(await shown(run.id), nothing);
    const second = await resume(run.id);
    assert.deepEqual(await shown(run.id), nothing);
    await end(second, "completed", "at last");
    assert.deepEqual(await shown(run.id), ["at last", "at last!", 2]);
  });

  test("an external run's report is the answer of its newest turn, and an emptied one falls back to the one before", async (t) => {
    const { store, access, makeRun, shown } = await openAnswering(t);
    const { id } = await makeRun({ agent: "external" });
    const report = (texts: { result?: string | null; summary?: string | null }) =>
      store.external.update(access, id, texts);
    const say = () => store.runs.addTurn(access, id, { prompt: "more", images: [], model: null });
    await report({ summary: "Half" });
    assert.deepEqual(await shown(id), [null, "Half", 1]);
    await report({ result: "Done" });
    assert.deepEqual(await shown(id), ["Done", "Half", 1]);
    await store.external.append(access, id, messages(3));

    await say();
    assert.deepEqual(await shown(id), ["Done", "Half", 1]);
    await report({ result: "Done twice", summary: "Twice" });
    assert.deepEqual(await shown(id), ["Done twice", "Twice", 2]);
    assert.equal((await store.runs.find(access, id))?.resultSeq, 4);
    await store.external.update(access, id, { status: "failed", result: null, summary: null });
    assert.deepEqual(await shown(id), ["Done", "Half", 1]);
    assert.equal((await store.runs.find(access, id))?.resultSeq, 0);

    await say();
    await report({ result: null });
    assert.deepEqual(await shown(id), ["Done", "Half", 1]);
  });
}
