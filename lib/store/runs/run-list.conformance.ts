import assert from "node:assert/strict";
import { test } from "node:test";
import { type OpenStore, openFixture } from "#lib/store/conformance.fixture.ts";
import type { Access } from "./access.ts";
import type { RunFilter, RunOrder } from "./run-store.ts";

const all = { skip: 0, limit: 100 };

/** Lists of runs. */
export function runListConformance(open: OpenStore): void {
  test("runs are listed newest first, by every filter", async (t) => {
    const { store, access, makeRun, claim, advance } = await openFixture(t, open);
    const first = await makeRun({ prompt: "Raise the 100% mark", agent: "claude" });
    advance(1000);
    const second = await makeRun({ prompt: "raise 1000 marks, Änderung", sourceType: "CHAT" });
    await claim();
    const ids = async (filter: RunFilter, window = all) => {
      const { items, total } = await store.runs.list(access, filter, window);
      return [items.map(({ id }) => id), total];
    };
    assert.deepEqual(await ids({}), [[second.id, first.id], 2]);
    assert.deepEqual(await ids({}, { skip: 1, limit: 1 }), [[first.id], 2]);
    assert.deepEqual(await ids({}, { skip: 2, limit: 1 }), [[], 2]);
    assert.deepEqual(await ids({ statuses: ["queued", "failed"] }), [[second.id], 1]);
    assert.deepEqual(await ids({ statuses: [] }), [[], 0]);
    assert.deepEqual(await ids({ agent: "claude" }), [[first.id], 1]);
    assert.deepEqual(await ids({ sourceType: "CHAT" }), [[second.id], 1]);
    assert.deepEqual(await ids({ userId: access.userId }), [[second.id, first.id], 2]);
    assert.deepEqual(await ids({ userId: access.userId + 1 }), [[], 0]);
    assert.deepEqual(await ids({ repositoryId: 1 }), [[], 0]);
    assert.deepEqual(await ids({ createdAfter: "2026-01-31T12:00:01.000Z" }), [[second.id], 1]);
    assert.deepEqual(await ids({ createdBefore: "2026-01-31T12:00:01.000Z" }), [[first.id], 1]);
    assert.deepEqual(await ids({ before: second.id }), [[first.id], 2]);
    assert.deepEqual(await ids({ before: first.id }), [[], 2]);
    assert.deepEqual(await ids({ q: "RAISE" }), [[second.id, first.id], 2]);
    assert.deepEqual(await ids({ q: "äNDERUNG" }), [[second.id], 1]);
    assert.deepEqual(await ids({ q: "100%" }), [[first.id], 1]);
    assert.deepEqual(await ids({ q: "e_1" }), [[], 0]);
    assert.deepEqual(await ids({ q: "x".repeat(100_000) }), [[], 0]);
  });

  test("runs are found by the texts, numbers and booleans of their metadata, and listed in three orders", async (t) => {
    const { store, access, foreign, makeRun, startRun, finish, advance } = await openFixture(t, open);
    const shop = { team: "shop", n: 1.5, live: true, tags: ["a"], nested: { team: "x" }, none: null };
    const { run: first, lease } = await startRun({ metadata: { ...shop, long: "x".repeat(256) } });
    const { run: second, lease: other } = await startRun({ metadata: { team: "shop", Ünï: "日本 =", n: 2 } });
    const third = await makeRun({ metadata: { team: "Shop" } });
    const ids = async (metadata: [string, string][], who: Access = access) =>
      (await store.runs.list(who, { metadata }, all)).items.map(({ id }) => id);
    assert.deepEqual(await ids([["team", "shop"]]), [second.id, first.id]);
    assert.deepEqual(await ids([["team", "shop"]], foreign), []);
    const both: [string, string][] = [
      ["team", "shop"],
      ["n", "1.5"],
    ];
    assert.deepEqual(await ids(both), [first.id]);
    assert.deepEqual(await ids([["live", "true"]]), [first.id]);
    assert.deepEqual(await ids([["Ünï", "日本 ="]]), [second.id]);
    for (const [name, value] of [
      ["tags", "a"],
      ["none", "null"],
      ["long", "x".repeat(256)],
      ["team", "x"],
    ] as const) {
      assert.deepEqual(await ids([[name, value]]), [], name);
    }
    advance(1000);
    await finish(other);
    advance(1000);
    await finish(lease);
    const ordered = async (order: RunOrder) =>
      (await store.runs.list(access, {}, all, order)).items.map(({ id }) => id);
    assert.deepEqual(await ordered("newest"), [third.id, second.id, first.id]);
    assert.deepEqual(await ordered("oldest"), [first.id, second.id, third.id]);
    assert.deepEqual(await ordered("last_ended"), [first.id, second.id, third.id]);
    assert.deepEqual(await store.runs.listIds(access, { ids: [first.id, second.id] }, 1), {
      ids: [second.id],
      total: 2,
    });
  });
}
