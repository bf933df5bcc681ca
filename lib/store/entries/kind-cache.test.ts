import assert from "node:assert/strict";
import { test } from "node:test";
import { blockSize } from "./entry-blocks.ts";
import { KindCache } from "./kind-cache.ts";

const lettersOf = (from: number, to: number) =>
  Uint8Array.from({ length: to - from }, (_, place) => (from + place) % 251);

test("new codes are appended to the cached ones, in whole blocks, and an earlier reader keeps what it saw", () => {
  const holder = new KindCache(1e6);
  const size = 3 * blockSize + 10;
  assert.deepEqual(holder.join(1, holder.get(1), 0, lettersOf(0, size)), lettersOf(0, size));
  const held = holder.get(1);
  assert.equal(held.length, 3 * blockSize);
  // Two concurrent readers: the one that read more finishes first.
  const more = holder.join(1, held, held.length, lettersOf(held.length, 9 * blockSize + 1));
  assert.deepEqual(more, lettersOf(0, 9 * blockSize + 1));
  const less = holder.join(1, held, 2 * blockSize, lettersOf(2 * blockSize, 5 * blockSize));
  assert.deepEqual(less.subarray(0, 5 * blockSize), lettersOf(0, 5 * blockSize));
  assert.equal(holder.join(1, holder.get(1), 0, lettersOf(0, blockSize)).length, 5 * blockSize);
  assert.throws(() => holder.join(1, holder.get(1), 6 * blockSize, lettersOf(0, 1)), RangeError);
});

test("the least recently used run is dropped first, and a run that is too long is not cached", () => {
  const holder = new KindCache(8 * blockSize);
  const join = (runId: number, blocks: number) =>
    holder.join(runId, holder.get(runId), 0, lettersOf(0, blocks * blockSize));
  const lengths = () => [1, 2, 3].map((runId) => holder.get(runId).length / blockSize);
  join(1, 2);
  join(2, 2);
  join(1, 1);
  join(3, 2);
  assert.deepEqual(lengths(), [2, 0, 2]);
  assert.equal(join(2, 20).length, 20 * blockSize);
  assert.deepEqual(lengths(), [2, 0, 2]);
  // A cached run that has become too long is dropped, and takes no room from others.
  assert.equal(join(3, 20).length, 20 * blockSize);
  join(2, 4);
  assert.deepEqual(lengths(), [2, 4, 0]);
});
