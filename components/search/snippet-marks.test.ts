import assert from "node:assert/strict";
import { test } from "node:test";
import { findTextOf, snippetMarks } from "./snippet-marks.ts";

const hit = (snippet: string, start: number, length: number) => ({
  seq: 1,
  message_type: "ACTION",
  tool_name: "shell",
  field: "tool_output.output",
  snippet,
  snippet_start: start,
  snippet_length: length,
  matches: 1,
});
const marked = (snippet: string, text: string) =>
  snippetMarks(hit(snippet, 0, 3), text).map(({ from, to }) => snippet.slice(from, to));

test("words are marked where a word begins with them, whatever their case and order", () => {
  assert.deepEqual(marked("The Lease of a release, leased", "lease"), ["Lease", "lease"]);
  assert.deepEqual(marked("write cursor, then cur-lease", "lease CUR"), ["cur", "cur", "lease"]);
  assert.deepEqual(marked("lib/store.ts", "store.ts"), ["store", "ts"]);
});

test("where no word stands in the snippet as it was typed, what the server found is marked", () => {
  assert.deepEqual(marked("the end", "other"), ["the"]);
  assert.deepEqual(snippetMarks(hit("the end", 0, 0), "other"), []);
});

test("the run is opened with what stands there: all that was typed, or the word that was found", () => {
  assert.equal(findTextOf(hit("a Lease Lost here", 2, 5), "lease lost"), "lease lost");
  assert.equal(findTextOf(hit("lost: a Lease", 8, 5), "lease lost"), "Lease");
});
