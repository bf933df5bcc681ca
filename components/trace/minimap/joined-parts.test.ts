import assert from "node:assert/strict";
import { test } from "node:test";
import { joinedParts } from "./joined-parts.ts";

test("parts with hits that stand side by side are one mark, others stay apart", () => {
  assert.deepEqual(joinedParts([0, 1, 4, 0, 0, 2]), [
    { from: 1, to: 3 },
    { from: 5, to: 6 },
  ]);
  assert.deepEqual(joinedParts([]), []);
});
