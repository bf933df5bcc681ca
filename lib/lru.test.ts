import assert from "node:assert/strict";
import { test } from "node:test";
import { Lru } from "./lru.ts";

test("the least recently used value makes room for a new one", () => {
  const cache = new Lru<string, number>({ count: 3 });
  for (const [value, key] of ["a", "b", "c"].entries()) cache.set(key, value);
  assert.equal(cache.get("a"), 0);
  cache.set("d", 3);
  assert.deepEqual(
    ["a", "b", "c", "d"].map((key) => cache.get(key)),
    [0, undefined, 2, 3],
  );
  assert.equal(cache.size, 3);
  assert.equal(
    cache.obtain("a", () => assert.fail("it is there")),
    0,
  );
  assert.equal(
    cache.obtain("e", () => 4),
    4,
  );
  assert.deepEqual([cache.get("c"), cache.size], [undefined, 3]);
});

test("the total weight is bounded, and a value that is replaced or removed no longer counts", () => {
  const cache = new Lru<string, number[]>({ weight: 10, weigh: ({ length }) => length });
  const of = (length: number) => new Array<number>(length).fill(0);
  cache.set("a", of(4));
  cache.set("a", of(6));
  cache.set("b", of(4));
  assert.equal(cache.size, 2);
  cache.set("c", of(1));
  assert.deepEqual([cache.get("a"), cache.size], [undefined, 2]);
  assert.equal(cache.delete("b"), true);
  assert.equal(cache.delete("b"), false);
  cache.set("d", of(9));
  assert.equal(cache.size, 2);
  // The most recently used value stays, however heavy it is.
  cache.set("e", of(11));
  assert.deepEqual([cache.size, cache.get("e")?.length], [1, 11]);
});

test("growing values are weighed again when room is made", () => {
  const cache = new Lru<string, number[]>({ weight: 10, weigh: ({ length }) => length, grows: true });
  const grown: number[] = [];
  cache.set("a", grown);
  cache.set("b", []);
  grown.push(...Array<number>(11).fill(0));
  assert.equal(cache.size, 2);
  cache.obtain("b", () => assert.fail("it is there"));
  assert.deepEqual([cache.size, cache.get("a")], [1, undefined]);
  const later: number[] = [];
  cache.set("c", later);
  cache.get("b")?.push(...Array<number>(10).fill(0));
  later.push(1);
  cache.makeRoom();
  assert.deepEqual([cache.get("c"), cache.get("b")?.length], [undefined, 10]);
});
