import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import { withLinkLists } from "./link-list.ts";
import { toolResultOf } from "./result.ts";
import { callsOf, convertTraces, tracesFolder } from "./trace-converter/convert-trace.fixture.ts";

test("no text and no number of a recorded result vanishes", (t) => {
  const folder = tracesFolder();
  if (folder === null) return t.skip("no recorded traces beside this checkout (../shared/traces)");
  let leaves = 0;
  const missing: string[] = [];
  for (const trace of convertTraces(folder)) {
    for (const [index, { tool_output }] of callsOf(trace).entries()) {
      const shown = shownBy(tool_output);
      for (const { path, value } of leavesOf(tool_output, "")) {
        leaves += 1;
        if (!shown.holds(withLinkLists(value)))
          missing.push(`${trace.file} ${index + 1}${path}: ${value.slice(0, 120)}`);
      }
    }
  }
  t.diagnostic(`${leaves} texts and numbers`);
  assert.deepEqual(missing.slice(0, 20), []);
  assert.ok(leaves > 5_000);
});

test("whatever the shape of a result, each of its fields is shown once", () => {
  const outputs: unknown[] = [
    { output: "seen", text: "other", message: "third", error: "fourth", status: "odd", exit_code: 3 },
    { stdout: "out", stderr: "err", output: "", code: 7 },
    {
      content: [
        { type: "text", text: "one" },
        { type: "text", text: "two", id: 5 },
        { type: "resource", uri: "file:a" },
      ],
    },
    {
      output: "same",
      content: [{ type: "text", text: "not the same" }],
      metadata: { output: "same", exit: 1, preview: "p" },
    },
    { status: { agent1: { completed: "said" }, agent2: { completed: "said too" } }, timed_out: false },
    { output: "x", metadata: { exit_code: 0, exit: 4, duration_seconds: 2 } },
    { result: { rows: [1, "two"] }, output: "words" },
    { diffs: [{ path: "a" }, 7], signal: { name: "SIGTERM" }, permission: "allowed", exit_code: "1", truncated: "yes" },
    ["plain", { type: "text", text: "block" }, 12],
    {
      output: "Chunk ID: 8c7c\nWall time: 0.5 seconds\nProcess exited with code 4\nOutput:\nbody",
      metadata: { exit_code: 9 },
    },
    { text: "<returncode>5</returncode>\n<output>\nbody\n</output>", state: '{"open_file": "n/a"}' },
    { text: "said\n<system-reminder>be careful</system-reminder>", is_error: false },
    { output: { nested: { deep: ["value", 3] } }, duration: { secs: 1, nanos: 5 } },
    {
      result: [
        {
          functionResponse: {
            id: "id-1",
            response: { output: "Command: ls\nDirectory: (root)\nOutput: a\nError: b\nExit Code: 2\nSignal: 0" },
          },
        },
      ],
    },
  ];
  for (const output of outputs) {
    const shown = shownBy(output);
    for (const { path, value } of leavesOf(output, ""))
      assert.ok(shown.holds(value), `${JSON.stringify(output)}${path}`);
  }
});

/** What a card can show of a result: its parts as texts. */
function shownBy(output: unknown): { holds: (value: string) => boolean } {
  const result = toolResultOf(output);
  const { images, durationMs, exitCode, json, rest, ...parts } = result;
  const texts = [...leavesOf({ ...parts, json, rest }, "")].map(({ value }) => value);
  const all = texts.join("\n");
  const figures = new Set([String(exitCode), String(durationMs), String((durationMs ?? 0) / 1000)]);
  const urls = images.map(({ url }) => url);
  // A chip shows a figure without the words of its line.
  const isHeader = (line: string) =>
    figures.has(/(-?\d+)(?:\.?\]|<\/returncode>)?$/.exec(line)?.[1] ?? "") ||
    /^(?:<\/?output>|<tool_use_error>|<\/tool_use_error>|Output:|Signal: 0|Error: \(none\)|Command aborted|Background PIDs: \(none\))$/.test(
      line,
    );
  const holdsLine = (line: string): boolean => {
    const bare = line
      .trim()
      .replace(/^<tool_use_error>|<\/tool_use_error>$|^<\/?system-reminder>|<\/system-reminder>$/g, "");
    if (bare === "" || all.includes(bare) || isHeader(bare)) return true;
    const value = /^(?:\[?[A-Z][\w ]{1,40}(?:: ?| ID | with cell ID | time )|Script )(.*?)\]?$/.exec(bare)?.[1];
    return value !== undefined && all.includes(value);
  };
  return {
    holds: (value) =>
      figures.has(value) ||
      all.includes(value) ||
      urls.some((url) => url.endsWith(value)) ||
      value.split("\n").every(holdsLine),
  };
}

function* leavesOf(value: unknown, path: string): Generator<{ path: string; value: string }> {
  if (typeof value === "string" || typeof value === "number") {
    if (value !== "") yield { path, value: String(value) };
  } else if (typeof value === "object" && value !== null) {
    const { type, text, data } = fieldsOf(value);
    for (const [name, inner] of Object.entries(value)) {
      // Whether a block is a text or an image is visible.
      const isKind = name === "type" && (typeof text === "string" || data !== undefined || type === "image");
      const isImage = name === "media_type" || (name === "type" && type === "base64");
      if (!isKind && !isImage) yield* leavesOf(inner, `${path}.${name}`);
    }
  }
}
