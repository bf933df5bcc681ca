import assert from "node:assert/strict";
import { test } from "node:test";
import { diffCountsWords } from "./diff-counts-words.ts";

test("line counts read as a person would say them", () => {
  assert.equal(diffCountsWords(1, 0), "1 line added, 0 removed");
  assert.equal(diffCountsWords(0, 1), "0 lines added, 1 removed");
  assert.equal(diffCountsWords(73_357, 1_204), "73,357 lines added, 1,204 removed");
});
