import assert from "node:assert/strict";
import { test } from "node:test";
import { populationProblem } from "#lib/contract/entry.ts";
import { errorEntry, interruptionEntry, isInterruption, userMessageEntry } from "./ending-entries.ts";

test("the engine's own entries obey the population rules, and interruptions can be told from messages", () => {
  const message = userMessageEntry({ number: 3, prompt: "Hello" });
  assert.deepEqual([message.tool_input, message.observation], [{ turn: 3 }, "Hello"]);
  const entries = [errorEntry("internal", "It broke."), interruptionEntry("Stopped."), message];
  for (const entry of entries) assert.equal(populationProblem(entry), null);
  assert.deepEqual(entries.map(isInterruption), [false, true, false]);
});
