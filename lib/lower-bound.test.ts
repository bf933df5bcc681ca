import assert from "node:assert/strict";
import { test } from "node:test";
import { lowerBound, lowestIndex } from "./lower-bound.ts";

test("the lowest index is the one found by checking each, in any part of the numbers", () => {
  const sorted = [-2, 0, 0, 3, 3.5, 3.5, 9];
  for (let from = 0; from <= sorted.length; from += 1) {
    for (let to = from; to <= sorted.length; to += 1) {
      for (const wanted of [-3, -2, -1, 0, 1, 3, 3.5, 4, 9, 10]) {
        const looked = sorted.findIndex((number, index) => index >= from && index < to && number >= wanted);
        assert.equal(lowerBound(sorted, wanted, from, to), looked === -1 ? to : looked);
      }
    }
  }
  for (const wanted of [-3, 0, 3.2, 10]) {
    assert.equal(
      lowestIndex(sorted.length, (index) => (sorted[index] ?? 0) >= wanted),
      lowerBound(sorted, wanted),
    );
  }
  assert.equal(
    lowestIndex(0, () => assert.fail("there is nothing to ask about")),
    0,
  );
});
