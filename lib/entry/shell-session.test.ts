import assert from "node:assert/strict";
import { test } from "node:test";
import { leftSessionOf } from "./shell-session.ts";

test("the session that a call left running is found in a field or in a line before its output", () => {
  const line = "Chunk ID: 73a6b8\nWall time: 1.0 seconds\nProcess running with session ID 4964\nOutput:\n";
  assert.equal(leftSessionOf({ output: line }), "4964");
  assert.equal(leftSessionOf(line), "4964");
  assert.equal(leftSessionOf({ content: [{ type: "input_text", text: "Script running with cell ID 27\n" }] }), "27");
  assert.equal(leftSessionOf({ session_id: 50255, output: "" }), "50255");
});

test("a call that has ended, or prints such words far down, left none", () => {
  assert.equal(leftSessionOf({ output: "Process exited with code 0\nOutput:\nok" }), null);
  assert.equal(leftSessionOf({ output: `${"x".repeat(3_000)} session ID 7` }), null);
  assert.equal(leftSessionOf(null), null);
});
