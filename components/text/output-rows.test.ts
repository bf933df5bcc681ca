import assert from "node:assert/strict";
import { test } from "node:test";
import { plainTextOf, rowsOfOutput } from "./output-rows.ts";
import { rowLengthMax } from "./text-lines.ts";

const textOf = (rows: ReturnType<typeof rowsOfOutput>) => rows.map((row) => row.runs.map((run) => run.text).join(""));

test("the rows of an output are its text, long lines cut into several", () => {
  const long = `\u001B[31m${"ab".repeat(rowLengthMax)}\u001B[32m${"cd".repeat(rowLengthMax)}`;
  assert.equal(textOf(rowsOfOutput(long, true, null)).join(""), "ab".repeat(rowLengthMax) + "cd".repeat(rowLengthMax));
  assert.ok(textOf(rowsOfOutput(long, true, null)).every((row) => row.length <= rowLengthMax));
  assert.deepEqual(textOf(rowsOfOutput("a\r\n\nb", false, null)), ["a", "", "b"]);
});

test("terminal sequences stay in the text unless they are interpreted", () => {
  assert.deepEqual(textOf(rowsOfOutput("\u001B[31mx", false, null)), ["\u001B[31mx"]);
  assert.deepEqual(textOf(rowsOfOutput("\u001B[31mx", true, null)), ["x"]);
});

test("a folded row knows how much of its line is missing", () => {
  const [row, next] = rowsOfOutput(`${"x".repeat(1_000)}\ny`, false, 400);
  assert.equal(row?.cut, 600);
  assert.equal(next?.cut, 0);
});

test("a row has a bounded number of runs and all of its text", () => {
  const rows = rowsOfOutput("\u001B[31mx\u001B[32my".repeat(5_000), true, null);
  assert.equal(textOf(rows).join(""), "xy".repeat(5_000));
  assert.ok(rows.every((row) => row.runs.length <= 101));
});

test("rows of plain text are joined into one text with a line for each", () => {
  const plainTextOfOutput = (text: string) => plainTextOf(rowsOfOutput(text, true, 400));
  assert.equal(plainTextOfOutput("a\n\nb"), "a\n\nb");
  assert.equal(plainTextOfOutput("a\r\nb"), "a\nb");
  // Browsers show no line after the last line feed of a text.
  assert.equal(plainTextOfOutput("a\n"), "a\n\n");
  assert.equal(plainTextOfOutput("a\u001B[31mb"), null);
  assert.equal(plainTextOfOutput("a\u202Eb"), null);
  assert.equal(plainTextOfOutput("x".repeat(401)), null);
});
