import assert from "node:assert/strict";
import { test } from "node:test";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { commonFolderOf, reportedFilesOf } from "./reported-changes.ts";

const edit = (seq: number, path: string, more: Partial<LogEntry> = {}): LogEntry => ({
  agent_run_id: 1,
  seq,
  created_at: "2026-01-01T00:00:00.000Z",
  message_type: "ACTION",
  thought: null,
  tool_name: "Edit",
  tool_input: { file_path: path, old_string: "one\n", new_string: "two\nthree\n" },
  tool_output: { status: "completed" },
  observation: null,
  ...more,
});

test("a file's edits are listed below it in order, and failed ones are not counted", () => {
  const files = reportedFilesOf([
    edit(3, "b.ts"),
    edit(5, "a.ts"),
    edit(8, "b.ts", { tool_output: { status: "failed", output: "String to replace not found" } }),
    { ...edit(9, "c.ts"), tool_name: "Bash", tool_input: { command: "ls" } },
  ]);
  const told = files.map(({ path, added, removed, edits }) => [path, added, removed, edits.map(({ seq }) => seq)]);
  assert.deepEqual(told, [
    ["b.ts", 2, 1, [3, 8]],
    ["a.ts", 2, 1, [5]],
  ]);
  assert.deepEqual(
    files[0]?.edits.map(({ outcome }) => outcome),
    ["ok", "failed"],
  );
});

test("the common folder of all files is left out of their names if the paths are absolute", () => {
  assert.equal(commonFolderOf(["/srv/app/lib/a.ts", "/srv/app/lib/deep/b.ts", "/srv/app/c.ts"]), "/srv/app/");
  assert.equal(commonFolderOf(["D:\\work\\a.ts", "D:\\work\\b\\c.ts"]), "D:\\work\\");
  assert.equal(commonFolderOf(["/srv/a.ts", "/home/b.ts"]), "");
  assert.equal(commonFolderOf(["/srv/app/a.ts", "lib/b.ts"]), "");
  assert.equal(commonFolderOf(["lib/a.ts", "lib/b.ts"]), "");
  assert.equal(commonFolderOf([]), "");
});
