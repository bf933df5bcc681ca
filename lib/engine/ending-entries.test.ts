import assert from "node:assert/strict";
import { test } from "node:test";
import { populationProblem } from "#lib/contract/entry.ts";
import { errorEntry, interruptionEntry, isInterruption, summaryOf, userMessageEntry } from "./ending-entries.ts";

test("a summary is the first line that says something, without its markdown marks", () => {
  assert.equal(summaryOf("\n\n## Fixed the typo\n\nAll tests pass."), "Fixed the typo");
  assert.equal(summaryOf("- one\n- two"), "one");
});

test("a summary has at most 200 characters and is null where the result says nothing", () => {
  assert.equal(summaryOf("x".repeat(500))?.length, 200);
  assert.equal(summaryOf(" \n # \n"), null);
  assert.equal(summaryOf(null), null);
});

test("the engine's own entries obey the population rules and interruptions are told from messages", () => {
  const message = userMessageEntry({ number: 3, prompt: "Hello" });
  assert.deepEqual([message.tool_input, message.observation], [{ turn: 3 }, "Hello"]);
  const entries = [errorEntry("internal", "It broke."), interruptionEntry("Stopped."), message];
  for (const entry of entries) assert.equal(populationProblem(entry), null);
  assert.deepEqual(entries.map(isInterruption), [false, true, false]);
});
