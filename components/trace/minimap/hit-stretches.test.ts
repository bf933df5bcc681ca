import assert from "node:assert/strict";
import { test } from "node:test";
import { hitStretches } from "./hit-stretches.ts";

test("adjacent parts with about the same number of hits are one mark, others stay separate", () => {
  assert.deepEqual(hitStretches([0, 60, 100, 0, 20, 1], 100), [
    { from: 1, to: 3, strength: 3 },
    { from: 4, to: 5, strength: 2 },
    { from: 5, to: 6, strength: 1 },
  ]);
  assert.deepEqual(hitStretches([], 0), []);
});
