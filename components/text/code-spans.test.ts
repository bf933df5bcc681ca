import assert from "node:assert/strict";
import { test } from "node:test";
import { codeSpansOf } from "./code-spans.ts";

const parts = (sentence: string) => codeSpansOf(sentence).map(({ text, isCode }) => (isCode ? [text] : text));

test("text between backticks is code, without them", () => {
  assert.deepEqual(parts("Step 2 of 3 failed: `npm test` exited with 1."), [
    "Step 2 of 3 failed: ",
    ["npm test"],
    " exited with 1.",
  ]);
  assert.deepEqual(parts("`a` and `b`"), [["a"], " and ", ["b"]]);
});

test("all other characters are kept, including unpaired backticks", () => {
  for (const text of ["", "plain", "a ` b", "``", "`a\nb`", "```\nx\n```"]) {
    assert.equal(
      codeSpansOf(text)
        .map(({ text: part, isCode }) => (isCode ? `\`${part}\`` : part))
        .join(""),
      text,
    );
  }
  assert.deepEqual(parts("`a\nb`"), ["`a\nb`"]);
});
