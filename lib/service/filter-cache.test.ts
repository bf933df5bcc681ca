import assert from "node:assert/strict";
import { test } from "node:test";
import type { EntryMarks } from "#lib/store/entries/entry-store.ts";
import type { Store } from "#lib/store/store.ts";
import { FilterCache } from "./filter-cache.ts";

const access = { organizationId: 1, userId: 1 };
const anyErrors = { errors: true, prose: false };

/** A store whose entries are alternately a successful and a failed ACTION; it records what is read. */
function alternating(asked: [number, number][]): Store {
  const entries = {
    marks: async (_access: unknown, _run: number, { first, last }: { first: number; last: number }) => {
      asked.push([first, last]);
      const count = last - first + 1;
      const kinds = Uint8Array.from({ length: count }, (_, index) => "aA".charCodeAt((first + index) % 2));
      const marks: EntryMarks = { first, count, kinds, tools: new Uint16Array(count), traits: new Uint8Array(count) };
      return marks;
    },
  };
  // Without a tool name, nothing else of the store is used.
  return { entries } as unknown as Store;
}

test("only new entries of a growing run are checked again, and an older view stays as it was", async () => {
  const asked: [number, number][] = [];
  const store = alternating(asked);
  const cache = new FilterCache();
  const get = (total: number) => cache.of(7, anyErrors).get(store, access, total);
  assert.deepEqual([...(await get(5))], [1, 3, 5]);
  assert.deepEqual([...(await get(8))], [1, 3, 5, 7]);
  assert.deepEqual([...(await get(4))], [1, 3]);
  assert.deepEqual(asked, [
    [1, 5],
    [6, 8],
  ]);
});

test("concurrent callers get the same result", async () => {
  const store = alternating([]);
  const cache = new FilterCache();
  const totals = [1000, 300_000, 10, 300_001];
  const answers = await Promise.all(totals.map((total) => cache.of(7, anyErrors).get(store, access, total)));
  assert.deepEqual(
    answers.map(({ length }) => length),
    totals.map((total) => Math.ceil(total / 2)),
  );
  assert.ok(answers.every((seqs) => seqs.every((seq, index) => seq === index * 2 + 1)));
});

test("the least recently used result is dropped", async () => {
  const asked: [number, number][] = [];
  const store = alternating(asked);
  const cache = new FilterCache(1_000_000);
  for (let run = 1; run <= 20; run += 1) await cache.of(run, anyErrors).get(store, access, 60_000);
  assert.ok(cache.size < 12, `${cache.size} kept`);
  const before = asked.length;
  await cache.of(20, anyErrors).get(store, access, 60_000);
  assert.equal(asked.length, before);
  await cache.of(1, anyErrors).get(store, access, 60_000);
  assert.equal(asked.length, before + 1);
});
