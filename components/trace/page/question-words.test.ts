import assert from "node:assert/strict";
import { test } from "node:test";
import { toolViewOf } from "#lib/entry/read-tool-view.ts";
import { questionWords } from "./question-words.ts";

const asked = (tool_name: string, tool_input: Record<string, unknown>, files = 0) =>
  questionWords(toolViewOf({ tool_name, tool_input, tool_output: tool_input }).kind, files);

test("the heading of a question asks about the tool's action, and is never the command itself", () => {
  assert.equal(asked("Bash", { command: "rm -rf build" }), "Run this command?");
  assert.equal(asked("Edit", { file_path: "a.ts", old_string: "a", new_string: "b" }, 1), "Change this file?");
  assert.equal(asked("Edit", { file_path: "a.ts", old_string: "a", new_string: "b" }, 3), "Change these 3 files?");
  assert.equal(asked("Read", { file_path: "a.ts" }), "Read this file?");
  assert.equal(asked("WebFetch", { url: "https://example.com" }), "Open this address?");
  assert.equal(asked("mcp__tracker__close_issue", { issue: 4 }), "Allow this?");
});
