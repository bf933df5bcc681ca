import assert from "node:assert/strict";
import { test } from "node:test";
import { summaryOf } from "./run-summary.ts";

test("a summary is the first line with content, without its Markdown markup", () => {
  assert.equal(summaryOf("\n\n## Fixed the typo\n\nAll tests pass."), "Fixed the typo");
  assert.equal(summaryOf("- one\n- two"), "one");
});

test("a summary has at most 200 characters and is null if the result says nothing", () => {
  assert.equal(summaryOf("x".repeat(500))?.length, 200);
  assert.equal(summaryOf(" \n # \n"), null);
  assert.equal(summaryOf(null), null);
});
