import assert from "node:assert/strict";
import { test } from "node:test";
import { hasFailed, toolResultOf } from "./tool-result.ts";

test("the recorder's output is read field by field", () => {
  const result = toolResultOf({
    status: "failed",
    exit_code: 1,
    output: "Exit code 1\nno such file",
    permission: { decision: "allowed", option: "allow_once", by: "auto" },
    duration_ms: 840,
    truncated: { kept: 10, dropped: 5 },
    diffs: [],
  });
  assert.deepEqual(result, {
    status: "failed",
    exitCode: 1,
    signal: null,
    output: "no such file",
    result: null,
    permission: { decision: "allowed", option: "allow_once", by: "auto" },
    durationMs: 840,
    truncated: { droppedCharacters: 5 },
  });
  assert.ok(hasFailed(result));
});

test("a first line that looks like another exit code is output", () => {
  assert.equal(toolResultOf({ exit_code: 2, output: "Exit code 1\nx" }).output, "Exit code 1\nx");
  assert.equal(toolResultOf({ output: "Exit code 1\nx" }).output, "Exit code 1\nx");
});

test("text and unknown structures of other systems are kept", () => {
  assert.equal(toolResultOf("plain").output, "plain");
  assert.deepEqual(toolResultOf([1, 2]).result, [1, 2]);
  assert.deepEqual(toolResultOf({ status: "completed", rows: 3 }).result, { rows: 3 });
  assert.equal(toolResultOf(null).result, null);
  assert.equal(toolResultOf(undefined).result, null);
});

test("an end by a signal or a refusal is a failure, a word not known is none", () => {
  assert.ok(hasFailed(toolResultOf({ status: "completed", signal: "SIGTERM" })));
  assert.ok(hasFailed(toolResultOf({ status: "rejected" })));
  assert.ok(!hasFailed(toolResultOf({ status: "success", exit_code: 0 })));
});
