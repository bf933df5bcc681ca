import assert from "node:assert/strict";
import { test } from "node:test";
import { HeightMap } from "./height-map.ts";

/** A generator with a fixed seed (mulberry32), so that a failure can be repeated. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const estimateOf = (index: number) => 40 + (index % 7);

function naiveOffset(model: number[], index: number): number {
  let sum = 0;
  for (const height of model.slice(0, index)) sum += height;
  return sum;
}

function naiveIndexAt(model: number[], offset: number): number {
  let bottom = 0;
  for (const [index, height] of model.entries()) {
    bottom += height;
    if (offset < bottom) return index;
  }
  return model.length - 1;
}

test("random changes leave the same heights, sums and positions as a plain array", () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = randomFrom(seed);
    const model = Array.from({ length: Math.floor(random() * 40) }, (_, index) => estimateOf(index));
    const map = new HeightMap(model.length, estimateOf);
    let estimateNow = estimateOf;
    for (let round = 0; round < 400; round++) {
      const choice = random();
      if (choice < 0.6 && model.length > 0) {
        const index = Math.floor(random() * model.length);
        const height = 1 + Math.floor(random() * 64_000) / 64;
        assert.equal(map.set(index, height), height - (model[index] ?? 0));
        model[index] = height;
        assert.ok(map.isMeasured(index));
      } else if (choice < 0.9) {
        for (let more = Math.floor(random() * 9); more > 0; more--) model.push(estimateNow(model.length));
        map.resize(model.length);
      } else if (choice < 0.92) {
        const height = 20 + Math.floor(random() * 50);
        for (const index of model.keys()) if (!map.isMeasured(index)) model[index] = height;
        map.estimateAt(height);
        estimateNow = () => height;
      } else if (choice < 0.95) {
        model.length = Math.floor(random() * (model.length + 1));
        map.resize(model.length);
      } else {
        map.forgetMeasured();
      }
      assert.equal(map.count, model.length);
      assert.equal(map.total, naiveOffset(model, model.length));
      const probe = Math.floor(random() * (model.length + 1));
      assert.equal(map.offsetOf(probe), naiveOffset(model, probe));
      assert.equal(map.heightOf(probe), model[probe] ?? 0);
      const offset = random() * (map.total + 100) - 50;
      assert.equal(map.indexAt(offset), naiveIndexAt(model, offset));
      if (probe < model.length) assert.equal(map.indexAt(map.offsetOf(probe)), probe, "an item covers its own top");
    }
  }
});

test("a million items answer exactly after scattered measurements", () => {
  const count = 1_000_000;
  const map = new HeightMap(count, () => 120);
  const random = randomFrom(7);
  let total = count * 120;
  for (let round = 0; round < 20_000; round++) {
    total += map.set(Math.floor(random() * count), 20 + Math.floor(random() * 6400) / 64);
  }
  assert.equal(map.total, total);
  assert.equal(map.indexAt(total), count - 1);
  assert.equal(map.indexAt(map.offsetOf(654_321)), 654_321);
  assert.equal(map.offsetOf(500_001) - map.offsetOf(500_000), map.heightOf(500_000));
});

test("appending one by one keeps the sums of a list built at once", () => {
  const grown = new HeightMap(0, estimateOf);
  for (let count = 1; count <= 5_000; count++) grown.resize(count);
  const built = new HeightMap(5_000, estimateOf);
  for (let index = 0; index <= 5_000; index += 13) assert.equal(grown.offsetOf(index), built.offsetOf(index));
});

test("forgetting measurements keeps the heights as estimates", () => {
  const map = new HeightMap(3, () => 50);
  map.set(1, 80.5);
  map.forgetMeasured();
  assert.equal(map.heightOf(1), 80.5);
  assert.equal(map.isMeasured(1), false);
});

test("an empty list, indexes out of bounds and invalid heights do no harm", () => {
  const map = new HeightMap(0, () => Number.NaN);
  assert.equal(map.indexAt(10), -1);
  assert.equal(map.total, 0);
  map.resize(2);
  assert.equal(map.total, 2);
  assert.equal(map.set(-1, 10), 0);
  assert.equal(map.set(2, 10), 0);
  assert.equal(map.set(0, Number.POSITIVE_INFINITY), 0);
  assert.equal(map.indexAt(-5), 0);
  assert.equal(map.indexAt(1e12), 1);
});
