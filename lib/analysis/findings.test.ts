import assert from "node:assert/strict";
import { test } from "node:test";
import { analysed } from "./analysed.fixture.ts";
import type { StoredEntry } from "./step.ts";

const call = (tool_name: string, command: string, tool_output: object): StoredEntry => ({
  message_type: "ACTION",
  tool_name,
  tool_input: { command },
  tool_output,
});
const shell = (command: string, exit_code: number) => call("shell", command, { exit_code, output: "x" });

test("a file counts as read only if the command that reads it was run", () => {
  const readsOf = (entry: StoredEntry) => analysed([entry]).files.map(({ path, reads }) => `${path} ${reads}`);
  assert.deepEqual(readsOf(shell("cat a.md", 0)), ["a.md 1"]);
  assert.deepEqual(readsOf(shell("cat a.md", 1)), [], "its reading failed");
  assert.deepEqual(readsOf(shell("cat a.md && npm test", 1)), ["a.md 1"]);
  assert.deepEqual(readsOf(shell("ls /x && cat a.md; id", 1)), [], "it hangs on another command");
  assert.deepEqual(
    readsOf(shell("ls /x\ncat a.md\nid", 2)),
    [],
    "the built-in agent's scripts end at the first failure",
  );
  assert.deepEqual(readsOf(call("Bash", "ls /x\ncat a.md\nfalse", { exit_code: 1, output: "x" })), ["a.md 1"]);
  assert.deepEqual(
    readsOf(call("shell", "cat a.md", { status: "rejected", text: "Not run" })),
    [],
    "nobody allowed it",
  );
});

test("the slowest calls have the words of their commands", () => {
  const timed = (command: string, ms: number) => call("shell", command, { exit_code: 0, output: "", duration_ms: ms });
  assert.deepEqual(analysed([timed("npm ci", 900), timed("npm test\nnpm run lint", 7000)]).slowest, [
    { seq: 2, tool: "shell", call: "npm test", ms: 7000 },
    { seq: 1, tool: "shell", call: "npm ci", ms: 900 },
  ]);
});

test("nothing is certain about a log that is not read to its end", () => {
  const entries = [shell("ls", 0), call("Bash", "jq .", { text: "bash: jq: command not found", is_error: true })];
  const confidenceOf = (totalLogs: number) =>
    analysed(entries, { status: "failed", totalLogs }).causes.map(({ confidence }) => confidence);
  assert.deepEqual(confidenceOf(2), ["certain"]);
  assert.deepEqual(confidenceOf(20_000), ["possible"]);
});
