import assert from "node:assert/strict";
import { test } from "node:test";
import { outcomeOf } from "./outcome.ts";
import { toolResultOf } from "./result.ts";

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
    stdout: null,
    stderr: null,
    json: null,
    isUnreported: false,
    chips: [],
    images: [],
    reminders: [],
    rest: null,
    permission: { decision: "allowed", option: "allow_once", by: "auto" },
    durationMs: 840,
    truncated: { droppedCharacters: 5 },
  });
});

test("a call whose agent reports no output says so, and nothing else is left to show", () => {
  const { isUnreported, rest, json } = toolResultOf({ status: "completed", output_reported: false });
  assert.deepEqual([isUnreported, rest, json], [true, null, null]);
});

test("a text and a raw result beside it are both shown, and the raw result's exit code counts", () => {
  const fields = { output: "kubectl: no such context\n", result: { exit_code: 1 } };
  const { output, json, rest, exitCode } = toolResultOf(fields);
  assert.deepEqual([output, json, rest, exitCode], [fields.output, null, { result: { exit_code: 1 } }, 1]);
  const call = { tool_name: "shell", tool_input: { command: "kubectl get" }, tool_output: fields };
  assert.equal(outcomeOf(call), "failed");
  assert.deepEqual(toolResultOf({ output: " ", result: { rows: 1 } }).json?.value, { rows: 1 });
});

test("a first line that looks like another exit code is output", () => {
  assert.equal(toolResultOf({ exit_code: 2, output: "Exit code 1\nx" }).output, "Exit code 1\nx");
  assert.equal(toolResultOf({ output: "Exit code 1\nx" }).output, "Exit code 1\nx");
});

test("text and unknown structures of other systems are kept", () => {
  assert.equal(toolResultOf("plain").output, "plain");
  assert.deepEqual(toolResultOf([1, 2]).json, { value: [1, 2] });
  assert.deepEqual(toolResultOf({ status: "completed", rows: 3 }).rest, { rows: 3 });
  for (const none of [null, undefined]) assert.deepEqual(toolResultOf(none).json ?? toolResultOf(none).rest, null);
});

test("an end by a signal is a failure, a refusal and an unknown word are none", () => {
  const outcome = (tool_output: unknown) => outcomeOf({ tool_name: "Bash", tool_input: null, tool_output });
  assert.equal(outcome({ status: "completed", signal: "SIGTERM" }), "failed");
  assert.equal(outcome({ status: "rejected" }), "refused");
  assert.equal(outcome({ status: "success", exit_code: 0 }), "ok");
});

test("hostile results of a megabyte are parsed at once", () => {
  const parts = [
    "\nError: ",
    "\nExit Code: 1",
    "</output>  ",
    "<system-reminder>",
    "[a]\n",
    "Command: x\nDirectory: y\nOutput: ",
    "[[{",
  ];
  for (const start of [
    "",
    "Command: x\nDirectory: y\nOutput: ",
    "<returncode>1</returncode>\n<output>",
    "Chunk ID: 1\n",
    "[".repeat(9),
  ]) {
    for (const part of parts) {
      const text = start + part.repeat(1_000_000 / part.length);
      const { output, exitCode } = toolResultOf({ text, is_error: true });
      assert.ok(output !== null || exitCode !== null);
    }
  }
});

test("a result of very many blocks is joined in time proportional to their number", () => {
  const content = Array.from({ length: 500_000 }, (_, number) =>
    number % 2 === 0 ? "a" : { type: "text", text: "b\n" },
  );
  assert.ok(toolResultOf({ content }).output === "a\nb\n".repeat(250_000));
});

test("only a header's own line says that a script has completed", () => {
  const header = toolResultOf("Script completed\nWall time 0.3 seconds\nOutput:\n4 files");
  assert.equal(header.output, "4 files");
  assert.deepEqual(header.chips, [
    { label: "Script", value: "completed" },
    { label: "Wall time", value: "0.3 seconds" },
  ]);
  for (const output of [
    "Script completed successfully, no errors. Result: 7",
    "Script completed",
    "Script failed\nat 3",
  ]) {
    const { chips, output: shown } = toolResultOf(output);
    assert.deepEqual({ chips, shown }, { chips: [], shown: output });
  }
});

test("parts computed on demand are included in a copy, and computed once", () => {
  const result = toolResultOf({ output: '{"files":4}', more: { seen: 2 } });
  const copy = { ...result };
  assert.deepEqual(copy.json, { value: { files: 4 } });
  assert.deepEqual(copy.rest, { more: { seen: 2 } });
  assert.equal(result.rest, copy.rest);
  assert.equal(result.json, copy.json);
});
