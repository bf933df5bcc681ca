import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutNumbers } from "./read-text.ts";

test("the line numbers of every agent's format are removed, and text around the lines is kept apart", () => {
  const expected = { text: "one\n  two", firstLine: 9 };
  const cases: [printed: string, notes: string[]][] = [
    ["9\tone\n10\t  two", []],
    ["     9→one\n    10→  two\n", []],
    ["00009| one\n00010|   two", []],
    [
      "<path>/a</path>\n<type>file</type>\n<content>\n9: one\n10:   two\n\n(End of file - total 10 lines)\n</content>",
      ["path: /a", "type: file", "(End of file - total 10 lines)"],
    ],
    ["<content>9: one\n10:   two\n</content>", []],
    [
      "Here's the result of running `cat -n` on /a.py:\r\n     9\tone\r\n    10\t  two\r\n",
      ["Here's the result of running `cat -n` on /a.py:"],
    ],
    [
      "[File: /a.py (20 lines total)]\n(8 more lines above)\n9:one\n10:  two\n(10 more lines below)",
      ["[File: /a.py (20 lines total)]", "(8 more lines above)", "(10 more lines below)"],
    ],
  ];
  for (const [printed, notes] of cases) assert.deepEqual(withoutNumbers(printed), { ...expected, notes });
});

test("lines that are all indented keep their indentation", () => {
  assert.equal(withoutNumbers("1\t  a\n2\t  b")?.text, "  a\n  b");
  assert.equal(withoutNumbers("1:   a\n2:   b")?.text, "  a\n  b");
});

test("text that is not numbered throughout stays as it is", () => {
  for (const text of ["1\tone\n3\tthree", "1\tone\ntwo", "const a = 1;", "", "A list:\n1: one", "(a)\n(b)\n(c)"]) {
    assert.equal(withoutNumbers(text), null, text);
  }
});
