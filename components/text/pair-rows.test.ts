import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePatch } from "#lib/entry/patch.ts";
import type { Diff } from "./diff-rows.ts";
import { diffOfHunks, diffOfTexts } from "./diff-rows.ts";
import type { RowPair } from "./pair-rows.ts";
import { pairRows } from "./pair-rows.ts";

const shown = (diff: Diff): string[] =>
  pairRows(diff.rows).map(({ before, after }) => `${shownCell(before)} | ${shownCell(after)}`);

function shownCell(cell: RowPair["before"]): string {
  if (cell === null) return "";
  return cell.kind === "gap" ? `gap ${cell.lines.length}${cell.heading}` : cell.text;
}

function diffOfPatch(patch: string): Diff {
  return diffOfHunks(parsePatch(patch).files[0]?.hunks ?? []);
}

test("removed lines are beside the added lines that follow them, unchanged lines on both sides", () => {
  assert.deepEqual(shown(diffOfTexts("a\nb\nc\nz", "a\nB\nC\nD\nz")), ["a | a", "b | B", "c | C", " | D", "z | z"]);
  assert.deepEqual(shown(diffOfTexts("a\nb\nc\nz", "a\nB\nz")), ["a | a", "b | B", "c | ", "z | z"]);
});

test("a new file, an emptied one and no text have one side or none", () => {
  assert.deepEqual(shown(diffOfTexts(null, "a\nb")), [" | a", " | b"]);
  assert.deepEqual(shown(diffOfTexts("a\nb", "")), ["a | ", "b | "]);
  assert.deepEqual(pairRows([]), []);
});

test("gaps are on both sides, and separate the changes before and after them", () => {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`);
  const pairs = pairRows(diffOfTexts(lines.join("\n"), lines.with(20, "changed").join("\n")).rows);
  const gaps = pairs.filter(({ before }) => before?.kind === "gap");
  assert.equal(gaps.length, 2);
  for (const { before, after } of gaps) assert.equal(before, after);
  assert.deepEqual(shown(diffOfPatch("--- a\n+++ a\n@@ -5 +4,0 @@ f\n-b\n@@ -90,0 +89 @@ g\n+y\n")), [
    "gap 0f | gap 0f",
    "b | ",
    "gap 0g | gap 0g",
    " | y",
  ]);
});

test("added lines before removed ones are not paired with them", () => {
  assert.deepEqual(shown(diffOfPatch("--- a\n+++ a\n@@ -1,2 +1,2 @@\n+x\n-b\n+c\n z\n")), [" | x", "b | c", "z | z"]);
});

test("lines are paired as they were for marking changed words", () => {
  const [pair] = pairRows(diffOfTexts("const total = a + b;\nrest", "const sum = a + b;\nmore\nrest").rows);
  const marked = (row: RowPair["before"] | undefined) =>
    row == null || row.kind === "gap" ? null : row.marks.map(({ from, to }) => row.text.slice(from, to));
  assert.deepEqual([marked(pair?.before), marked(pair?.after)], [["total"], ["sum"]]);
});

test("each side holds every line of its version in order, and no line twice", () => {
  const before = Array.from({ length: 2_000 }, (_, index) => `line ${index}`);
  const after = before
    .filter((_, index) => index % 7 !== 3)
    .flatMap((line, index) => (index % 11 ? [line] : [line, `new ${index}`]));
  const pairs = pairRows(diffOfTexts(before.join("\n"), after.join("\n")).rows);
  const side = (name: "before" | "after") =>
    pairs.flatMap((pair) => {
      const row = pair[name];
      return row === null ? [] : row.kind === "gap" ? row.lines.map(({ text }) => text) : [row.text];
    });
  assert.deepEqual(side("before"), before);
  assert.deepEqual(side("after"), after);
});
