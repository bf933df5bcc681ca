import assert from "node:assert/strict";
import { test } from "node:test";
import { type OpenStore, openFixture } from "#lib/store/conformance.fixture.ts";

const all = { skip: 0, limit: 100 };
const hashOf = (byte: number) => new Uint8Array(32).fill(byte);
const whole = { hint: "abcd", fromSeq: 1, toSeq: null, showsOutputs: true, expiresAt: null };

/** Links that let others read a run. */
export function shareConformance(open: OpenStore): void {
  test("a link is found by its hash until it expires or is revoked", async (t) => {
    const { store, access, foreign, advance, makeRun } = await openFixture(t, open);
    const run = await makeRun();
    const lasting = await store.shares.create(access, { ...whole, runId: run.id, hash: hashOf(1) });
    const short = await store.shares.create(access, {
      runId: run.id,
      hint: "wxyz",
      fromSeq: 3,
      toSeq: 9,
      showsOutputs: false,
      expiresAt: "2026-01-31T12:00:01.000Z",
      hash: hashOf(2),
    });
    assert.ok(lasting !== null && short !== null);
    assert.deepEqual(short, {
      id: short.id,
      organizationId: access.organizationId,
      runId: run.id,
      userId: access.userId,
      userName: "Ada",
      hint: "wxyz",
      fromSeq: 3,
      toSeq: 9,
      showsOutputs: false,
      createdAt: "2026-01-31T12:00:00.000Z",
      expiresAt: "2026-01-31T12:00:01.000Z",
      lastViewedAt: null,
      views: 0,
    });
    assert.deepEqual(await store.shares.findByHash(hashOf(1)), lasting);
    assert.deepEqual(await store.shares.findByHash(hashOf(2)), short);
    assert.equal(await store.shares.findByHash(hashOf(3)), null);
    advance(1000);
    assert.equal(await store.shares.findByHash(hashOf(2)), null);

    assert.equal(await store.shares.revoke(foreign, lasting.id), null);
    assert.deepEqual(await store.shares.findByHash(hashOf(1)), lasting);
    assert.deepEqual(await store.shares.revoke(access, lasting.id), lasting);
    assert.equal(await store.shares.revoke(access, lasting.id), null);
    assert.equal(await store.shares.findByHash(hashOf(1)), null);
  });

  test("a run's links are listed newest first, with expired ones and without revoked ones", async (t) => {
    const { store, access, foreign, advance, makeRun } = await openFixture(t, open);
    const [run, another] = [await makeRun(), await makeRun()];
    const create = (runId: number, byte: number, expiresAt: string | null) =>
      store.shares.create(access, { ...whole, runId, expiresAt, hash: hashOf(byte) });
    const first = await create(run.id, 1, "2026-01-31T12:00:01.000Z");
    const second = await create(run.id, 2, null);
    await create(another.id, 3, null);
    advance(5000);
    assert.deepEqual(await store.shares.list(access, run.id, all), { items: [second, first], total: 2 });
    assert.deepEqual(await store.shares.list(access, run.id, { skip: 1, limit: 1 }), { items: [first], total: 2 });
    assert.deepEqual(await store.shares.list(foreign, run.id, all), { items: [], total: 0 });
    await store.shares.revoke(access, second?.id ?? 0);
    assert.deepEqual(await store.shares.list(access, run.id, all), { items: [first], total: 1 });
  });

  test("nobody shares a run that they cannot see", async (t) => {
    const { store, access, foreign, makeRun } = await openFixture(t, open);
    const run = await makeRun();
    const stranger = { ...foreign, userId: access.userId };
    assert.equal(await store.shares.create(stranger, { ...whole, runId: run.id, hash: hashOf(1) }), null);
    assert.equal(await store.shares.create(access, { ...whole, runId: run.id + 1, hash: hashOf(1) }), null);
    assert.equal(await store.shares.findByHash(hashOf(1)), null);
  });

  test("each view counts, and the time of the last one is known", async (t) => {
    const { store, access, advance, makeRun } = await openFixture(t, open);
    const share = await store.shares.create(access, { ...whole, runId: (await makeRun()).id, hash: hashOf(1) });
    assert.ok(share !== null);
    await store.shares.noteView(share.id);
    advance(60_000);
    await store.shares.noteView(share.id);
    const viewed = { ...share, views: 2, lastViewedAt: "2026-01-31T12:01:00.000Z" };
    assert.deepEqual(await store.shares.findByHash(hashOf(1)), viewed);
  });
}
