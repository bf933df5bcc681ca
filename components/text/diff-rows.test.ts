import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePatch } from "#lib/entry/patch.ts";
import type { Diff, DiffLine } from "./diff-rows.ts";
import { diffOfHunks, diffOfTexts, fitsHunks } from "./diff-rows.ts";

const linesOf = (diff: Diff): DiffLine[] => diff.rows.flatMap((row) => (row.kind === "gap" ? row.lines : [row]));
const side = (diff: Diff, left: "added" | "removed") =>
  linesOf(diff)
    .filter((line) => line.kind !== left)
    .map((line) => line.text);
const numbered = (count: number, prefix = "line ") => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

test("each side of a diff is that version of the text, with its line numbers", () => {
  const before = numbered(100);
  const after = before.toSpliced(50, 2, "new a", "new b", "new c").toSpliced(10, 1);
  const diff = diffOfTexts(before.join("\n"), after.join("\n"));
  assert.deepEqual(side(diff, "added"), before);
  assert.deepEqual(side(diff, "removed"), after);
  assert.deepEqual([diff.added, diff.removed], [3, 3]);
  for (const line of linesOf(diff)) {
    if (line.oldLine !== null) assert.equal(before[line.oldLine - 1], line.text);
    if (line.newLine !== null) assert.equal(after[line.newLine - 1], line.text);
  }
  assert.equal(new Set(diff.rows.map((row) => row.id)).size, diff.rows.length);
});

test("long unchanged stretches are folded, with three lines around each change", () => {
  const before = numbered(100);
  const diff = diffOfTexts(before.join("\n"), before.with(50, "changed").join("\n"));
  assert.deepEqual(
    diff.rows.map((row) => (row.kind === "gap" ? row.lines.length : row.kind)),
    [47, "same", "same", "same", "removed", "added", "same", "same", "same", 46],
  );
});

test("a new file, an emptied file and equal texts", () => {
  assert.deepEqual(
    diffOfTexts(null, "a\nb\n").rows.map((row) => row.kind),
    ["added", "added"],
  );
  assert.deepEqual(
    diffOfTexts("a\nb\n", "").rows.map((row) => row.kind),
    ["removed", "removed"],
  );
  assert.deepEqual(
    diffOfTexts("a\nb\n", "a\nb\n").rows.map((row) => row.kind),
    ["same", "same"],
  );
  assert.deepEqual(diffOfTexts("", "").rows, []);
});

test("a changed end of a line is a change, and is shown where it makes a difference", () => {
  const shown = (diff: Diff) => linesOf(diff).map(({ kind, text, endSign }) => [kind, text, endSign]);
  const returned = diffOfTexts("a\r\nb\r\n", "a\nb\n");
  assert.deepEqual([returned.removed, returned.added], [2, 2]);
  assert.deepEqual(shown(returned), [
    ["removed", "a", "␍"],
    ["removed", "b", "␍"],
    ["added", "a", null],
    ["added", "b", null],
  ]);
  // All lines have one: nothing differs.
  assert.deepEqual(shown(diffOfTexts("a\r\nb\r\n", "a\r\nc\r\n")), [
    ["same", "a", null],
    ["removed", "b", null],
    ["added", "c", null],
  ]);
  assert.deepEqual(shown(diffOfTexts("a\nb", "a\nb\n")), [
    ["same", "a", null],
    ["removed", "b", "no newline at end"],
    ["added", "b", null],
  ]);
  // Parts of a file, of which the end is not known; and a whole new file.
  assert.deepEqual(shown(diffOfTexts("a", "a\nb")), [
    ["same", "a", null],
    ["added", "b", null],
  ]);
  assert.deepEqual(shown(diffOfTexts(null, "a\nb")).at(-1), ["added", "b", "no newline at end"]);
  const hunk = "--- a\n+++ a\n@@ -1,2 +1,2 @@\n x\r\n-y\r\n+y\n\\ No newline at end of file\n";
  assert.deepEqual(shown(diffOfHunks(parsePatch(hunk).files[0]?.hunks ?? [])), [
    ["same", "x", null],
    ["removed", "y", null],
    ["added", "y", "no newline at end"],
  ]);
});

test("the changed words of an edited line are marked, unrelated lines are not", () => {
  const [removed, added] = linesOf(diffOfTexts("const total = first + second;", "const sum = first + second;"));
  assert.deepEqual(
    removed?.marks.map(({ from, to }) => removed.text.slice(from, to)),
    ["total"],
  );
  assert.deepEqual(
    added?.marks.map(({ from, to }) => added.text.slice(from, to)),
    ["sum"],
  );
  for (const line of linesOf(diffOfTexts("alpha beta gamma", "x = 1"))) assert.deepEqual(line.marks, []);
});

test("texts too different or too long to compare are shown as one replacing the other, losing no line", () => {
  for (const [before, after] of [
    [numbered(30_000, "a"), numbered(30_000, "b")],
    [numbered(9_000, "a"), numbered(9_000, "b")],
  ] as const) {
    const diff = diffOfTexts(before.join("\n"), after.join("\n"));
    assert.equal(diff.isWholesale, true);
    assert.deepEqual([diff.removed, diff.added], [before.length, after.length]);
  }
  const shuffled = diffOfTexts("a\nb\n".repeat(5_000), "b\na\nc\n".repeat(3_000));
  assert.equal(side(shuffled, "added").length, 10_000);
  assert.equal(diffOfTexts("x".repeat(1_000_000), "y".repeat(1_000_000)).rows.length, 2);
});

test("the hunks of a patch keep their line numbers, with a gap for what is left out before each", () => {
  const [file] = parsePatch("--- a\n+++ a\n@@ -5,2 +5,2 @@ func x\n a\n-b\n+c\n@@ -90 +90,2 @@\n z\n+y\n").files;
  const diff = diffOfHunks(file?.hunks ?? []);
  assert.deepEqual(
    diff.rows.map((row) =>
      row.kind === "gap" ? `gap ${row.heading}` : `${row.kind} ${row.oldLine} ${row.newLine} ${row.text}`,
    ),
    ["gap func x", "same 5 5 a", "removed 6 null b", "added null 6 c", "gap ", "same 90 90 z", "added null 91 y"],
  );
  assert.equal(new Set(diff.rows.map((row) => row.id)).size, diff.rows.length);
});

test("lines around the hunks are folded if the whole file is known, and can be requested if it continues", () => {
  const [file] = parsePatch("--- a\n+++ a\n@@ -5,4 +5,5 @@\n 5\n+new\n 6\n 7\n 8\n").files;
  const hunks = file?.hunks ?? [];
  const gapsOf = (diff: Diff) =>
    diff.rows.flatMap((row) =>
      row.kind === "gap" ? [row.lines.map(({ oldLine, newLine }) => [oldLine, newLine])] : [],
    );
  assert.deepEqual(gapsOf(diffOfHunks(hunks)), [[], []]);
  const whole = ["1", "2", "3", "4", "5", "new", "6", "7", "8", "9"];
  assert.equal(fitsHunks(hunks, whole), true);
  const before = [1, 2, 3, 4].map((line) => [line, line]);
  const diff = diffOfHunks(hunks, whole);
  assert.deepEqual(gapsOf(diff), [before, [[9, 10]]]);
  assert.deepEqual(side(diff, "removed"), whole);
  assert.deepEqual(gapsOf(diffOfHunks(hunks, whole.slice(0, -1))), [before]);
  for (const other of [[], whole.slice(1), whole.slice(0, 7)]) assert.equal(fitsHunks(hunks, other), false);
});

test("an excerpt of a file is numbered from where it begins, or not at all if that is unknown", () => {
  const numbers = (firstLine: number | null) =>
    diffOfTexts("a\nb", "a\nc", firstLine).rows.map((row) => row.kind !== "gap" && [row.oldLine, row.newLine]);
  assert.deepEqual(numbers(40), [
    [40, 40],
    [41, null],
    [null, 41],
  ]);
  assert.deepEqual(numbers(null), [
    [null, null],
    [null, null],
    [null, null],
  ]);
});
