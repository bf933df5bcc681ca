import assert from "node:assert/strict";
import { test } from "node:test";
import { messages, type OpenStore, openFixture } from "./conformance.fixture.ts";

const place = { caller: "token:1", operation: "appendLogs", key: "k" };
const digest = Buffer.alloc(32, 1);
const answer = (body: string) => ({ status: 200, body });

/** Answers kept under a key. */
export function idempotencyConformance(open: OpenStore): void {
  test("what was done under a key is not done again, and its response is returned again", async (t) => {
    const { store, access, makeRun } = await openFixture(t, open);
    const { id } = await makeRun({ agent: "external" });
    const append = (changes: Partial<typeof place> = {}) =>
      store.idempotency.once({ ...place, ...changes }, digest, async (inside) => {
        const done = await inside.external.append(access, id, messages(2));
        return answer(JSON.stringify(done));
      });
    const first = { answer: answer('{"firstSeq":1,"lastSeq":2}'), replayed: false };
    assert.deepEqual(await append(), first);
    assert.deepEqual(await append(), { ...first, replayed: true });
    for (const other of [{ caller: "token:2" }, { operation: "createRun" }, { key: "l" }]) {
      const done = await append(other);
      assert.ok(done !== "mismatch" && !done.replayed);
    }
    assert.equal((await store.runs.find(access, id))?.totalLogs, 8);
  });

  test("of many concurrent requests with one key, one does the work", async (t) => {
    const { store, access, makeRun } = await openFixture(t, open);
    const { id } = await makeRun({ agent: "external" });
    const all = await Promise.all(
      Array.from({ length: 20 }, () =>
        store.idempotency.once(place, digest, async (inside) => {
          await inside.runs.addTurn(access, id, { prompt: "again", images: [], model: null });
          return answer("{}");
        }),
      ),
    );
    assert.equal(all.filter((done) => done !== "mismatch" && !done.replayed).length, 1);
    assert.equal((await store.runs.find(access, id))?.turns, 2);
  });

  test("another body under the same key is reported and does nothing", async (t) => {
    const { store } = await openFixture(t, open);
    await store.idempotency.once(place, digest, async () => answer("1"));
    const other = await store.idempotency.once(place, Buffer.alloc(32, 2), async () => assert.fail("was called"));
    assert.equal(other, "mismatch");
  });

  test("work that fails leaves nothing behind, and its key is free", async (t) => {
    const { store, access, makeRun } = await openFixture(t, open);
    const { id } = await makeRun({ agent: "external" });
    const failing = store.idempotency.once(place, digest, async (inside) => {
      await inside.external.append(access, id, messages(2));
      throw new Error("no room");
    });
    await assert.rejects(failing, /no room/);
    assert.equal((await store.runs.find(access, id))?.totalLogs, 0);
    const again = await store.idempotency.once(place, digest, async () => answer("2"));
    assert.deepEqual(again, { answer: answer("2"), replayed: false });
  });

  test("a key is kept for 24 hours", async (t) => {
    const { store, advance } = await openFixture(t, open);
    const ask = (body: string) => store.idempotency.once(place, digest, async () => answer(body));
    await ask("1");
    advance(24 * 3_600_000 - 1);
    assert.deepEqual(await ask("2"), { answer: answer("1"), replayed: true });
    advance(1);
    assert.deepEqual(await ask("3"), { answer: answer("3"), replayed: false });
  });
}
