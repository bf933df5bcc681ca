import assert from "node:assert/strict";
import { test } from "node:test";
import { titleOf } from "./pull-words.ts";

test("a title is one line, whatever the run's summary is", () => {
  assert.equal(titleOf({ summary: "## Two\n\nlines\tand a \u001b bell", prompt: "x" }), "Two lines and a bell");
  assert.equal(titleOf({ summary: null, prompt: "First\nsecond" }), "First");
  assert.equal(titleOf({ summary: " \u0000 ", prompt: "" }), "Changes of an agent");
  assert.equal(titleOf({ summary: "t".repeat(300), prompt: "x" }).length, 250);
});
