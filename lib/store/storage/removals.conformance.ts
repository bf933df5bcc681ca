import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionStep } from "#lib/claude-code/session-step.ts";
import { Role } from "#lib/contract/people/organization.ts";
import { mayAct } from "#lib/contract/runs/run-acts.ts";
import { storedResponse } from "#lib/contract/stored-response.ts";
import { line, openSession, prompt, sessionId } from "#lib/store/claude-code/claude.fixture.ts";
import { type Fixture, messages, type OpenStore, openFixture } from "#lib/store/conformance.fixture.ts";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";

const pageOf = (runId: number) => `http://errand.test/runs/${runId}`;
const analysis = plainRun("Analyze", { agent: "analysis", permissionMode: "read-only" });

/** What a store must do with deleted runs. */
export function removalConformance(open: OpenStore): void {
  test("a deleted run is nowhere any more, and its entries are deleted in parts, without those of its neighbors", async (t) => {
    const fixture = await openFixture(t, open);
    const { store, access, foreign } = fixture;
    const [before, run, later] = [await ended(fixture, 300), await ended(fixture, 700), await ended(fixture, 300)];
    const share = { hint: "abcd", hash: Buffer.alloc(32, 7), fromSeq: 1, toSeq: null, showsOutputs: true };
    await store.shares.create(access, { ...share, runId: run, expiresAt: null });
    assert.deepEqual(await store.removals.removeRun(foreign, run), { refused: "absent" });
    assert.deepEqual(await store.removals.removeRun(access, run), { removed: [run] });
    assert.deepEqual(await store.removals.removeRun(access, run), { refused: "absent" });
    assert.equal(await store.runs.find(access, run), null);
    assert.deepEqual(await store.entries.readAfter(access, run, 0, 10, 1e6), []);
    assert.equal(await store.shares.findByHash(share.hash), null);
    assert.deepEqual(
      (await store.runs.list(access, {}, { skip: 0, limit: 10 })).items.map(({ id }) => id),
      [later, before],
    );
    const [removal] = await store.removals.list(0, 10);
    assert.deepEqual(removal, { id: removal?.id, kind: "run", runId: run, repositoryId: null });
    let parts = 1;
    while (await store.removals.removeEntries(run, 300)) parts += 1;
    assert.equal(parts, 3);
    for (const other of [before, later]) {
      assert.equal((await store.entries.readAfter(access, other, 0, 1000, 1e7)).length, 301);
    }
    await store.removals.finish([removal?.id ?? 0]);
    assert.deepEqual(await store.removals.list(0, 10), []);
    assert.deepEqual(await store.check(), []);
    assert.ok((await fixture.makeRun()).id > later, "a number is used once");
  });

  test("a live run is not deleted, nor one that is being analyzed; its analyses are deleted with it", async (t) => {
    const fixture = await openFixture(t, open);
    const { store, access, claim, finish } = fixture;
    const queued = await fixture.makeRun();
    assert.deepEqual(await store.removals.removeRun(access, queued.id), { refused: "live", runId: queued.id });
    const { lease } = await claim();
    assert.deepEqual(await store.removals.removeRun(access, queued.id), { refused: "live", runId: queued.id });
    await finish(lease);
    const made = await store.analysisRuns.create(access, queued.id, analysis, pageOf);
    assert.ok("run" in made);
    assert.deepEqual(await store.removals.removeRun(access, queued.id), { refused: "live", runId: made.run.id });
    await finish((await claim()).lease);
    assert.deepEqual(await store.removals.removeRun(access, queued.id), { removed: [queued.id, made.run.id] });
    assert.equal((await store.removals.list(0, 10)).length, 2);
    assert.deepEqual(await store.check(), []);
  });

  test("of many runs those that have ended are deleted; one whose analysis is being analyzed blocks no other", async (t) => {
    const fixture = await openFixture(t, open);
    const { store, access, foreign, claim, finish } = fixture;
    const [one, other] = [await ended(fixture, 1), await ended(fixture, 1)];
    const analyze = async (runId: number) => {
      const made = await store.analysisRuns.create(access, runId, analysis, pageOf);
      assert.ok("run" in made);
      return { id: made.run.id, lease: (await claim()).lease };
    };
    const first = await analyze(one);
    await finish(first.lease);
    const second = await analyze(first.id);
    const ids = [one, other, first.id, second.id];
    assert.deepEqual(await store.removals.removeMany(foreign.organizationId, ids), []);
    assert.deepEqual(await store.removals.removeMany(access.organizationId, ids), [other]);
    await finish(second.lease);
    assert.deepEqual((await store.removals.removeMany(access.organizationId, ids)).sort(), [one, first.id, second.id]);
    assert.deepEqual(await store.check(), []);
  });

  test("who may delete whose run follows the table", async (t) => {
    const fixture = await openFixture(t, open);
    for (const role of Role.options) {
      for (const isOwn of [true, false]) {
        const run = await ended(fixture, 1);
        const by = { ...fixture.access, role, userId: isOwn ? fixture.access.userId : 99 };
        const done = fixture.store.removals.removeRun(by, run);
        if (mayAct(role, "delete", isOwn)) assert.deepEqual(await done, { removed: [run] });
        else await assert.rejects(done, /need the role/);
      }
    }
  });

  test("a response kept under a key says nothing of a deleted run, and the key does not start it again", async (t) => {
    const { store, access, claim, finish } = await openFixture(t, open);
    const digest = Buffer.alloc(32, 1);
    const create = (key: string) =>
      store.idempotency.once({ caller: "token:1", operation: "createRun", key }, digest, async (inside) => {
        const { id } = await inside.runs.create(access, plainRun("Find the needle"));
        return { status: 200, body: storedResponse({}, JSON.stringify({ id, organization_id: 1 }), "sealed") };
      });
    const first = await create("a");
    const other = await create("b");
    assert.ok(first !== "mismatch" && other !== "mismatch");
    await finish((await claim()).lease);
    const runId = Number.parseInt(first.answer.body, 10);
    assert.equal(first.answer.body, `${runId}:sealed`);
    await store.removals.removeRun(access, runId);
    assert.deepEqual(await create("a"), { answer: { status: 404, body: "" }, replayed: true });
    assert.deepEqual(await create("b"), { ...other, replayed: true });
  });

  test("a session of Claude Code is deleted with its run, and may start over", async (t) => {
    const { store, access, run, runId, take } = await openSession(t, open);
    const steps: SessionStep[] = [prompt("Go")];
    await take(...steps);
    await store.claudeSessions.report(access, sessionId, "COMPLETE", true);
    assert.deepEqual(await store.removals.removeRun(access, runId), { removed: [runId] });
    assert.deepEqual(await store.claudeSessions.take(access, sessionId, line([])), { refused: "absent" });
    const again = await store.claudeSessions.open(access, sessionId, run);
    assert.ok("runId" in again && again.runId > runId);
    assert.deepEqual(await store.check(), []);
  });
}

/** A run with `entries` entries and one more, which has ended. */
async function ended({ store, startRun, finish }: Fixture, entries: number): Promise<number> {
  const { lease, run } = await startRun();
  await store.queue.append(lease, messages(entries));
  await finish(lease);
  return run.id;
}
