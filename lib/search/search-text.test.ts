import assert from "node:assert/strict";
import { test } from "node:test";
import { findWord, searchTextOf, wordsOf } from "./search-text.ts";

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

test("the text of an entry is what its reader sees in lower case, however its JSON is spelled", () => {
  const textOf = (json: string) => searchTextOf(JSON.parse(json)).split("\0");
  const input = '{ "Key" : [ 1 , -0, 1.50, 1E3, 1e400, 12345678901234567890, 0.0000001, true, null ], "b":{"a":"Ab"} }';
  assert.deepEqual(
    textOf(`{"message_type":"ACTION","tool_call_id":"ID","observation":"Last","tool_input":${input},"thought":"T"}`),
    [
      "t",
      "key",
      ...["1", "0", "1.5", "1000", "infinity", "12345678901234567000", "1e-7"],
      "true",
      "null",
      "b",
      "a",
      "ab",
      "last",
    ],
  );
  assert.deepEqual(
    textOf('{"tool_output":["\\u0041\\u00c9\\n\\\\ \\ud83d\\ude00","ÉCOLE İ ΟΔΟΣ ＡＢ Ⅷ \u212a","a\\ud83db"]}'),
    ["aé\n\\ 😀", "école i οδοσ ａｂ ⅷ k", "a", "b"],
  );
  assert.deepEqual(
    textOf('{"tool_output":{"path":"one","lines":{"text":1,"type":{"path":2},"text":3},"path":"two"}}'),
    ["two", "3", "2"],
  );
  const deep = 10_000;
  assert.deepEqual(textOf(`{"tool_output":${"[".repeat(deep)}"Deep"${"]".repeat(deep)}}`), ["deep"]);
});
