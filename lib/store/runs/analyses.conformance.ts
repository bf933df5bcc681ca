import assert from "node:assert/strict";
import { test } from "node:test";
import { type OpenStore, openFixture } from "#lib/store/conformance.fixture.ts";

const kept = { totalLogs: 3, version: 1, status: "completed", body: '{"a":1}' } as const;

/** Stored analyses of runs. */
export function analysisConformance(open: OpenStore): void {
  test("an analysis is kept in place of the one before", async (t) => {
    const { store, access, makeRun } = await openFixture(t, open);
    const run = await makeRun();
    assert.equal(await store.analyses.find(access, run.id), null);
    await store.analyses.keep(access, run.id, kept);
    assert.deepEqual(await store.analyses.find(access, run.id), kept);
    const newer = { ...kept, totalLogs: 4, body: '{"b":"…"}' };
    await store.analyses.keep(access, run.id, newer);
    assert.deepEqual(await store.analyses.find(access, run.id), newer);
  });

  test("another organization neither reads nor keeps an analysis", async (t) => {
    const { store, access, foreign, makeRun } = await openFixture(t, open);
    const run = await makeRun();
    await store.analyses.keep(foreign, run.id, kept);
    assert.equal(await store.analyses.find(access, run.id), null);
    await store.analyses.keep(access, run.id, kept);
    assert.equal(await store.analyses.find(foreign, run.id), null);
  });
}
