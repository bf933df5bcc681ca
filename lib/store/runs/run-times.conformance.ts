import assert from "node:assert/strict";
import { test } from "node:test";
import { type OpenStore, openFixture, question } from "#lib/store/conformance.fixture.ts";

const at = (seconds: number) => new Date(Date.parse("2026-01-31T12:00:00.000Z") + seconds * 1000).toISOString();

/** Records of when a run was worked on. */
export function runTimesConformance(open: OpenStore): void {
  test("turns are listed with their beginning and end, except those that have not begun", async (t) => {
    const { store, access, foreign, makeRun, claim, finish, advance } = await openFixture(t, open);
    const { id } = await makeRun();
    assert.deepEqual(await store.runs.findTimes(access, id, 10), { turns: [], waits: [] });
    advance(1000);
    const first = await claim();
    advance(2000);
    await finish(first.lease, "failed");
    advance(60_000);
    await store.runs.addTurn(access, id, { prompt: "more", images: [], model: null });
    advance(1000);
    await claim();
    await store.runs.addTurn(access, id, { prompt: "even more", images: [], model: null });
    const turns = [
      { number: 1, from: at(1), to: at(3), status: "failed" },
      { number: 2, from: at(64), to: null, status: null },
    ];
    assert.deepEqual((await store.runs.findTimes(access, id, 10)).turns, turns);
    assert.deepEqual((await store.runs.findTimes(access, id, 1)).turns, turns.slice(1));
    assert.deepEqual(await store.runs.findTimes(foreign, id, 10), { turns: [], waits: [] });
  });

  test("the time a run waited for a person is recorded when it is answered, and when the run ends while it waits", async (t) => {
    const { store, access, startRun, finish, advance } = await openFixture(t, open);
    const { lease } = await startRun();
    const waits = async () => (await store.runs.findTimes(access, lease.runId, 10)).waits;
    advance(1000);
    await store.queue.setQuestion(lease, question("q1"));
    assert.deepEqual(await waits(), [{ from: at(1), to: null }]);
    advance(5000);
    await store.queue.setQuestion(lease, null);
    // A further question within the same millisecond as the one before.
    await store.queue.setQuestion(lease, question("q2"));
    await store.queue.setQuestion(lease, null);
    await store.queue.setQuestion(lease, question("q3"));
    advance(1000);
    await finish(lease);
    const all = [
      { from: at(1), to: at(6) },
      { from: at(6), to: at(7) },
    ];
    assert.deepEqual(await waits(), all);
    assert.deepEqual((await store.runs.findTimes(access, lease.runId, 1)).waits, all.slice(0, 1));
  });
}
