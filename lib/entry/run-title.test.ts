import assert from "node:assert/strict";
import test from "node:test";
import { runTitle } from "./run-title.ts";

test("a run is named after the first line with content", () => {
  assert.equal(runTitle("\n  \n# Fix the tests\nmore"), "Fix the tests");
  assert.equal(runTitle("- one\n- two"), "one");
  assert.equal(runTitle("```sh\nnpm test\n```"), "npm test");
  assert.equal(runTitle("Rename `a` to `b`"), "Rename a to b");
  assert.equal(runTitle("#hashtag stays"), "#hashtag stays");
  assert.equal(runTitle("   "), "Untitled run");
  assert.equal(runTitle("<!-- from\na template -->\r\n\r\n## Fix\tit\r\nnow"), "Fix it");
  assert.equal(runTitle("<!-- only this -->"), "<!-- only this -->");
});

test("a title is one line of bounded length and never cuts a character in half", () => {
  const title = runTitle("😀".repeat(5000));
  assert.ok(title.length <= 200);
  assert.ok(title.isWellFormed());
  assert.equal(runTitle(`${"a".repeat(199)}😀`).isWellFormed(), true);
});
