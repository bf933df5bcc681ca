import assert from "node:assert/strict";
import { test } from "node:test";
import { mixedEntries } from "./find-entries.fixture.ts";
import { findWord, searchBytesOf, searchTextOf, wordsOf } from "./search-text.ts";

test("the bytes of an entry are those of its search text", () => {
  for (const entry of mixedEntries(500, 17)) {
    assert.deepEqual(Buffer.from(searchBytesOf(entry)), Buffer.from(searchTextOf(entry)));
  }
});

test("a text of any length is written whole", () => {
  for (const length of [0, 1, 85_000, 88_000, 3_000_000]) {
    const entry = { thought: "世".repeat(length), tool_input: ["Ж", "b".repeat(length)] };
    assert.ok(Buffer.from(searchTextOf(entry)).equals(searchBytesOf(entry)));
  }
});

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
