import assert from "node:assert/strict";
import { test } from "node:test";
import { findTextOf, markedSnippet } from "./snippet-marks.ts";

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
const marked = (...[text, words]: [text: string, words: string]) => {
  const { snippet, marks } = markedSnippet(hit(text, 0, 3), words);
  return marks.map(({ from, to }) => snippet.slice(from, to));
};

test("search words are marked at the beginning of words, whatever their case and order", () => {
  assert.deepEqual(marked("The Lease of a release, leased", "lease"), ["Lease", "lease"]);
  assert.deepEqual(marked("write cursor, then cur-lease", "lease CUR"), ["cur", "cur", "lease"]);
  assert.deepEqual(marked("lib/store.ts", "store.ts"), ["store", "ts"]);
});

test("if the snippet contains none of the typed words, the server's match is marked", () => {
  assert.deepEqual(marked("the end", "other"), ["the"]);
  assert.deepEqual(markedSnippet(hit("the end", 0, 0), "other").marks, []);
});

test("terminal colors are not shown", () => {
  const found = hit("\u001b[32m✓\u001b[39m the Lease (3 ms)\u001b[3", 16, 5);
  const { snippet, marks } = markedSnippet(found, "nothing");
  assert.equal(snippet, "✓ the Lease (3 ms)");
  assert.deepEqual(marks, [{ from: 6, to: 11 }]);
});

test("the run is opened with all of the typed text if it occurs there, otherwise with the word that was found", () => {
  assert.equal(findTextOf(hit("a Lease Lost here", 2, 5), "lease lost"), "lease lost");
  assert.equal(findTextOf(hit("lost: a Lease", 8, 5), "lease lost"), "Lease");
});

test("lines of prose are joined by a space", () => {
  const prose = { ...hit("first line\n\nsecond Lease", 19, 5), tool_name: null, field: "thought" };
  assert.equal(markedSnippet(prose, "lease").snippet, "first line second Lease");
});

test("lines joined into one are separated visibly, and marks stay at their words", () => {
  const { snippet, marks } = markedSnippet(hit("first line  \n\n  second Lease", 23, 5), "lease");
  assert.equal(snippet, "first line ↵ second Lease");
  assert.deepEqual(
    marks.map(({ from, to }) => snippet.slice(from, to)),
    ["Lease"],
  );
});
