import assert from "node:assert/strict";
import { test } from "node:test";
import { isFailed, type Outcome, outcomeOf } from "./outcome.ts";
import { endsOfText } from "./text-ends.ts";

type Case = [outcome: Outcome, tool_output: unknown, tool_name?: string, tool_input?: unknown];

const edit = { file_path: "a.ts", old_string: "x", new_string: "y" };
const grep = { command: "grep -rn TODO src" };
const chunk = (line: string, output = "") => ({
  output: `Chunk ID: 8c7cc0\nWall time: 0.1 seconds\n${line}\nOutput:\n${output}`,
});

const cases: Record<string, Case[]> = {
  "the driver's own statuses": [
    ["ok", { status: "completed", output: "Error: a line of a log" }, "Read", { file_path: "a.log" }],
    ["failed", { status: "failed" }],
    ["failed", { status: "completed", exit_code: 2 }],
    ["failed", { status: "completed", signal: "SIGTERM" }],
    ["refused", { status: "rejected", permission: { decision: "rejected" } }],
    ["cancelled", { status: "cancelled" }],
    ["cancelled", { status: "interrupted", signal: "SIGKILL" }],
    ["unfinished", { status: "unfinished", duration_ms: 3 }],
  ],
  "flags and words of other systems": [
    ["failed", { text: "no", is_error: true }],
    ["failed", { content: [{ type: "text", text: "no" }], isError: true }],
    ["failed", { content: "no", success: false }],
    ["failed", { error: "no such file" }],
    ["failed", { error: { type: "timeout", message: "30 s" } }],
    ["failed", { status: "ERROR" }],
    ["failed", { result: { Err: "unknown tool" } }],
    ["ok", { status: "success", error: null }],
    ["ok", { result: { Ok: { content: [] } }, error: "" }],
    ["ok", "plain text"],
    ["ok", { output: "" }],
    ["ok", ["a", "b"]],
    ["unknown", { status: "draft" }],
    ["failed", { status: "draft", exit_code: 1 }],
  ],
  "exit codes, wherever they stand": [
    ["failed", { output: "x", metadata: { exit_code: 2 } }],
    ["failed", { status: "completed", output: "x", metadata: { exit: 1 } }],
    ["failed", { content: "x", extras: { metadata: { exit_code: 127 } } }],
    ["failed", { stdout: "", stderr: "x", returncode: 1 }],
    ["failed", chunk("Process exited with code 101")],
    ["ok", chunk("Process exited with code 0", "Process exited with code 1")],
    ["ok", chunk("Process running with session ID 4964")],
    ["failed", { output: "Exit code: 1\nWall time: 0 seconds\nOutput:\n" }],
    ["failed", { text: "<returncode>3</returncode>\n<output>\n</output>" }],
    [
      "failed",
      {
        result: [
          {
            functionResponse: {
              response: { output: "Command: x\nDirectory: .\nOutput: (empty)\nError: (none)\nExit Code: 2\nSignal: 0" },
            },
          },
        ],
      },
    ],
    ["failed", { text: "Exit code 2\nno rule", is_error: true }],
    ["ok", { text: "Exit code 2\nis what the manual calls it" }],
    ["failed", { content: [{ type: "text", text: "x\n\nCommand exited with code 2" }], isError: true }],
    ["failed", { text: "x\n[Current working directory: /w]\n[Command finished with exit code 1]" }],
    ["unfinished", { content: "Serving", success: false, extras: { metadata: { exit_code: -1 } } }],
    [
      "failed",
      {
        content: [
          { type: "input_text", text: "Script completed\nWall time 0.3 seconds\nOutput:\n" },
          { type: "input_text", text: '{"chunk_id":"a","wall_time_seconds":0.1,"exit_code":1,"output":"' },
        ],
      },
      "exec",
      { input: "x" },
    ],
  ],
  "exit code 1 that answers": [
    ["ok", { status: "failed", exit_code: 1, output: "" }, "Bash", grep],
    ["ok", { text: "Exit code 1", is_error: true }, "Bash", { command: "cd src && grep -q x y.ts" }],
    ["ok", { exit_code: 1 }, "Bash", { command: "cat a | grep b" }],
    ["ok", { exit_code: 1 }, "Bash", { command: "rg 'to do' && rg other" }],
    ["ok", { exit_code: 1 }, "Bash", { command: "which tool" }],
    ["ok", { exit_code: 1 }, "Bash", { command: "diff -u a b" }],
    ["ok", { exit_code: 1 }, "Bash", { command: "[ -f a ]" }],
    ["ok", { exit_code: 1 }, "Bash", { command: ["bash", "-lc", "test -f a"] }],
    ["ok", { exit_code: 1 }, "Bash", { command: "make; FOO=1 /usr/bin/grep x y" }],
    ["failed", { exit_code: 2 }, "Bash", grep],
    ["failed", { exit_code: 1 }, "Bash", { command: "grep -q x y && npm test" }],
    ["failed", { exit_code: 1 }, "Bash", { command: "npm test && grep x log" }],
    ["failed", { exit_code: 1 }, "Bash", { command: "grep x y || npm test" }],
    ["failed", { exit_code: 1 }, "Bash", { command: "npm test | tee grep.log" }],
    [
      "failed",
      { exit_code: 1, output: "bash: line 1: cd: src: No such file or directory" },
      "Bash",
      { command: "cd src && grep x y" },
    ],
    ["failed", { exit_code: 1, output: "zsh:1: no matches found: *.x" }, "Bash", { command: "rg a *.x" }],
    ["failed", { exit_code: 1 }, "Grep", { pattern: "x" }],
  ],
  "edits by their text": [
    ["failed", { text: "<tool_use_error>String to replace not found in file.</tool_use_error>" }, "Edit", edit],
    ["failed", { status: "completed", output: "String to replace not found in file." }, "Edit", edit],
    [
      "failed",
      { content: "ERROR:\nNo replacement was performed, old_str `x` did not appear verbatim in a.ts." },
      "str_replace_editor",
      { command: "str_replace", path: "a.ts", old_str: "x", new_str: "y" },
    ],
    [
      "failed",
      {
        observation: `Your proposed edit has introduced new syntax error(s).\n${"x\n".repeat(9_000)}Your changes have NOT been applied.`,
      },
      "edit",
      { command: "edit 1:2\nx\nend_of_edit" },
    ],
    [
      "failed",
      { output: "apply_patch verification failed: Failed to find expected lines in a.ts" },
      "apply_patch",
      { input: "*** Begin Patch\n*** Update File: a.ts\n*** End Patch" },
    ],
    ["ok", { output: "The log says: String to replace not found" }, "Read", { file_path: "a.log" }],
    ["ok", { output: "NOT been applied" }, "Bash", { command: "cat a.log" }],
  ],
  "words where nothing else tells": [
    ["failed", { text: "Error: payment amount does not add up" }, "book_reservation", { user: "a" }],
    ["ok", { text: "Error: a line", is_error: false }, "book_reservation", { user: "a" }],
    ["ok", { text: "Error: seen in a log" }, "Bash", { command: "cat log" }],
    ["ok", { text: "Error: found" }, "Grep", { pattern: "Error" }],
    [
      "failed",
      { output: "write_stdin failed: stdin is closed for this session" },
      "write_stdin",
      { session_id: 3, chars: "0" },
    ],
    ["failed", { observation: "Traceback (most recent call last):\n  File" }, "python", { command: "python a.py" }],
    ["ok", { exit_code: 0, output: "Traceback (most recent call last):\n" }, "Bash", { command: "python a.py | cat" }],
  ],
  "refused, cancelled and without a result": [
    [
      "refused",
      { text: "The user doesn't want to proceed with this tool use. The tool use was rejected", is_error: true },
    ],
    ["refused", { output: "exec command rejected by user" }],
    ["refused", { content: "", error: { type: "approval", message: "no" } }],
    ["cancelled", { text: "Permission prompt was aborted.", is_error: true }],
    ["cancelled", { text: "[Request interrupted by user for tool use]", is_error: true }],
    ["cancelled", { content: [{ type: "text", text: "x\n\nCommand aborted" }], isError: true }],
    ["cancelled", { stdout: "x", stderr: "", interrupted: true }],
    ["failed", { content: [{ type: "text", text: "Command timed out after 30 seconds" }], isError: true }],
    ["unfinished", {}],
    ["unfinished", null],
    ["unfinished", undefined],
    ["unfinished", { status: "in_progress" }],
    ["unfinished", { status: "running", output: "so far" }],
  ],
};

for (const [name, table] of Object.entries(cases)) {
  test(`outcomes: ${name}`, () => {
    for (const [outcome, tool_output, tool_name = "Bash", tool_input = { command: "make" }] of table) {
      assert.equal(
        outcomeOf({ tool_name, tool_input, tool_output }),
        outcome,
        JSON.stringify([tool_output, tool_input]).slice(0, 400),
      );
    }
  });
}

test("an ERROR is a failure whatever it contains; of tool calls only failed ones are", () => {
  const entry = { tool_name: null, tool_input: null, tool_output: null };
  assert.ok(isFailed({ ...entry, message_type: "ERROR" }));
  for (const [status, expected] of [
    ["failed", true],
    ["rejected", false],
    ["cancelled", false],
    ["unfinished", false],
  ] as const) {
    assert.equal(isFailed({ ...entry, message_type: "ACTION", tool_output: { status } }), expected, status);
  }
});

test("a text of any length is judged by its ends, in constant time, and cutting it twice changes nothing", () => {
  const tail = "[The command completed with exit code 3.]";
  for (const middle of [
    "x".repeat(5_000_000),
    "\n".repeat(3_000_000),
    "[a]\n".repeat(1_000_000),
    "Command: ".repeat(400_000),
  ]) {
    const text = `started\n${middle}\n${tail}`;
    assert.equal(outcomeOf({ tool_name: "Bash", tool_input: {}, tool_output: { output: text } }), "failed");
    assert.equal(endsOfText(endsOfText(text)), endsOfText(text));
  }
});
