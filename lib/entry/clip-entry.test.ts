import assert from "node:assert/strict";
import { test } from "node:test";
import { outcomeOf } from "#lib/entry/outcome.ts";
import { clipEntry } from "./clip-entry.ts";

const entry = (more: object) => ({
  agent_run_id: 1,
  seq: 1,
  created_at: "2026-01-31T23:59:59.000Z",
  message_type: "ACTION",
  thought: null,
  tool_name: "shell",
  tool_input: {},
  tool_output: {},
  observation: null,
  ...more,
});

test("long strings anywhere in an entry are cut and named, the rest stays", () => {
  const whole = entry({
    thought: "t".repeat(12),
    tool_input: { command: "short", lines: ["ok", "x".repeat(30)] },
    tool_output: { output: "y".repeat(11), exit_code: 0 },
  });
  const clipped = JSON.parse(clipEntry(JSON.stringify(whole), 10));
  assert.deepEqual(clipped, {
    ...whole,
    thought: "t".repeat(10),
    tool_input: { command: "short", lines: ["ok", "x".repeat(10)] },
    tool_output: { output: "y".repeat(10), exit_code: 0 },
    clipped: ["thought", "tool_input.lines.1", "tool_output.output"],
    outcome: "ok",
  });
});

test("long output is reduced to what a terminal finally shows, and cut only if that is too long", () => {
  const progress = Array.from({ length: 200 }, (_, at) => `\u001B[2K\r${at}%`).join("");
  const clipped = (more: object) => JSON.parse(clipEntry(JSON.stringify(entry(more)), 20));
  const short = clipped({ tool_output: { output: `${progress}\nend\n` } });
  assert.deepEqual([short.tool_output.output, short.clipped, short.outcome], ["199%\nend\n", undefined, undefined]);
  const long = clipped({ tool_output: { output: `${progress}\n${"x".repeat(30)}` } });
  assert.deepEqual([long.tool_output.output, long.clipped], [`199%\n${"x".repeat(15)}`, ["tool_output.output"]]);
  // A file is shown as it is.
  const read = clipped({ tool_name: "Read", tool_input: { file_path: "a" }, tool_output: { output: progress } });
  assert.deepEqual([read.tool_output.output, read.clipped], [progress.slice(0, 20), ["tool_output.output"]]);
});

test("a clipped call has the outcome of its whole entry; nothing else has an outcome", () => {
  const clipped = (more: object) => JSON.parse(clipEntry(JSON.stringify(entry(more)), 10));
  const whole = entry({ tool_output: { status: "failed", output: "y".repeat(30) } });
  assert.equal(clipped({ tool_output: { status: "failed", output: "y".repeat(30) } }).outcome, outcomeOf(whole));
  assert.equal(clipped({ message_type: "ERROR", observation: "z".repeat(30) }).outcome, undefined);
  assert.equal(clipped({ tool_output: { output: "short" } }).outcome, undefined);
});

test("an entry with nothing to cut is the very same text", () => {
  const text = JSON.stringify(entry({ thought: "short" }));
  assert.equal(clipEntry(text, 10), text);
  assert.equal(clipEntry(text, 100_000), text);
});

test("a cut never splits a character", () => {
  const clipped = JSON.parse(clipEntry(JSON.stringify(entry({ observation: "123😀😀" })), 4));
  assert.equal(clipped.observation, "123");
});

test("deeply nested strings are clipped too", () => {
  const deep = `${'{"a":'.repeat(500)}"${"z".repeat(20)}"${"}".repeat(500)}`;
  const text = JSON.stringify(entry({})).replace('"tool_output":{}', `"tool_output":${deep}`);
  assert.match(clipEntry(text, 10), /"z{10}"/);
});
