import assert from "node:assert/strict";
import { test } from "node:test";
import { findWord, wordsOf } from "./search-text.ts";

test("words are letters and digits, and a word is found where one begins with it", () => {
  assert.deepEqual(wordsOf("Fix the_build: 2x FIX (Größe)"), ["fix", "the", "build", "2x", "größe"]);
  assert.deepEqual(wordsOf("... !"), []);
  assert.deepEqual(findWord("rebuild the builder, build", "build"), { at: 21, isWhole: true });
  assert.deepEqual(findWord("rebuild the builder", "build"), { at: 12, isWhole: false });
  assert.equal(findWord("rebuild", "build"), null);
  assert.deepEqual(findWord("run_build", "build"), { at: 4, isWhole: true });
  assert.equal(findWord("𐐨build", "build"), null);
  assert.deepEqual(findWord("これは世界です", "世界"), { at: 3, isWhole: false });
});
