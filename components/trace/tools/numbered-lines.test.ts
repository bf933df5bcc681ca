import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutNumbers } from "./numbered-lines.ts";

test("the numbers of every agent's format come off", () => {
  const expected = { text: "one\n  two", firstLine: 9 };
  assert.deepEqual(withoutNumbers("9\tone\n10\t  two"), expected);
  assert.deepEqual(withoutNumbers("     9→one\n    10→  two\n"), expected);
  assert.deepEqual(withoutNumbers("00009| one\n00010|   two"), expected);
  const opencode =
    "<path>/a</path>\n<type>file</type>\n<content>\n9: one\n10:   two\n\n(End of file - total 10 lines)\n</content>";
  assert.deepEqual(withoutNumbers(opencode), expected);
});

test("text that is not numbered throughout stays as it is", () => {
  assert.equal(withoutNumbers("1\tone\n3\tthree"), null);
  assert.equal(withoutNumbers("1\tone\ntwo"), null);
  assert.equal(withoutNumbers("const a = 1;"), null);
  assert.equal(withoutNumbers(""), null);
});
