import assert from "node:assert/strict";
import { test } from "node:test";
import { type OpenStore, openFixture } from "#lib/store/conformance.fixture.ts";

/** Numbers for the whole installation. */
export function figureConformance(open: OpenStore): void {
  test("runs are counted by status, the oldest queued one is named, and a run at work holds a slot", async (t) => {
    const { store, makeRun, claim, finish, advance } = await openFixture(t, open);
    assert.deepEqual(await store.figures.read(), { runs: {}, oldestQueuedAt: null, working: 0 });
    const first = await makeRun();
    advance(1000);
    await makeRun();
    await makeRun({ agent: "external" });
    assert.deepEqual(await store.figures.read(), {
      runs: { queued: 2, running: 1 },
      oldestQueuedAt: first.createdAt,
      working: 0,
    });
    const claimed = await claim();
    assert.deepEqual((await store.figures.read()).runs, { queued: 1, running: 2 });
    assert.equal((await store.figures.read()).working, 1);
    await finish(claimed.lease, "failed");
    const { runs, working } = await store.figures.read();
    assert.deepEqual([runs, working], [{ queued: 1, running: 1, failed: 1 }, 0]);
  });
}
