import assert from "node:assert/strict";
import { test } from "node:test";
import { interruptionOf } from "./interruption.ts";
import { entryTitleOf } from "./labels.ts";

test("an interruption is recognized as the driver records it and as a harness writes it", () => {
  assert.deepEqual(interruptionOf({ kind: "interruption", message: "Cancelled." }), { message: "Cancelled." });
  assert.deepEqual(interruptionOf({ kind: "interruption" }), { message: "The turn was interrupted." });
  const written = { content: [{ type: "text", text: "[Request interrupted by user for tool use]" }] };
  assert.notEqual(interruptionOf(written), null);
  const entry = { message_type: "USER_MESSAGE", tool_name: null, thought: null, observation: written };
  assert.equal(entryTitleOf(entry), "Interrupted");
});

test("a message that only mentions an interruption is none", () => {
  assert.equal(interruptionOf("Why does it say [Request interrupted by user]?"), null);
  assert.equal(interruptionOf({ text: "Go on" }), null);
  assert.equal(interruptionOf(null), null);
});
