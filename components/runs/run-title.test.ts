import assert from "node:assert/strict";
import test from "node:test";
import { runTitle } from "./run-title.ts";

test("a run is called by the first line that says something", () => {
  assert.equal(runTitle("\n  \n# Fix the tests\nmore"), "Fix the tests");
  assert.equal(runTitle("- one\n- two"), "one");
  assert.equal(runTitle("```sh\nnpm test\n```"), "npm test");
  assert.equal(runTitle("Rename `a` to `b`"), "Rename a to b");
  assert.equal(runTitle("#hashtag stays"), "#hashtag stays");
  assert.equal(runTitle("   "), "Untitled run");
});

test("a name has one line of bounded length and no half characters", () => {
  const title = runTitle("😀".repeat(5000));
  assert.ok(title.length <= 201);
  assert.ok(title.isWellFormed());
  assert.equal(runTitle(`${"a".repeat(199)}😀`).isWellFormed(), true);
});
