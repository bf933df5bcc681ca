import assert from "node:assert/strict";
import { test } from "node:test";
import { physicalHeightMax, physicalMax, physicalOf, virtualMax, virtualOf } from "./scroll-mapping.ts";

const extents = [
  { virtualHeight: 200, viewport: 800 },
  { virtualHeight: 5_000, viewport: 800 },
  { virtualHeight: physicalHeightMax, viewport: 800 },
  { virtualHeight: physicalHeightMax + 1, viewport: 800 },
  { virtualHeight: 250_000_000, viewport: 1_000 },
];

test("the ends of the thumb are the ends of the list, at any length", () => {
  for (const extent of extents) {
    assert.equal(physicalOf(0, extent), 0);
    assert.equal(physicalOf(virtualMax(extent), extent), physicalMax(extent));
    assert.equal(virtualOf(0, extent), 0);
    assert.equal(virtualOf(physicalMax(extent), extent), virtualMax(extent));
  }
});

test("the mapping is strictly monotonic and has an exact inverse", () => {
  for (const extent of extents) {
    let before = -1;
    for (let step = 0; step <= 1_000; step++) {
      const scrollTop = (physicalMax(extent) * step) / 1_000;
      const position = virtualOf(scrollTop, extent);
      if (physicalMax(extent) > 0) assert.ok(position > before);
      before = position;
      assert.ok(Math.abs(physicalOf(position, extent) - scrollTop) < 1e-6);
    }
  }
});

test("a list that fits the physical height is not mapped at all", () => {
  const extent = { virtualHeight: 7_999_999, viewport: 800 };
  for (const position of [1, 12_345.5, 6_000_000]) assert.equal(virtualOf(position, extent), position);
});

test("near the ends of a huge list a pixel is a pixel", () => {
  const extent = { virtualHeight: 250_000_000, viewport: 1_000 };
  assert.equal(virtualOf(30_000, extent), 30_000);
  assert.equal(virtualOf(physicalMax(extent) - 30_000, extent), virtualMax(extent) - 30_000);
});
