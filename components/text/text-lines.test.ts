import assert from "node:assert/strict";
import { test } from "node:test";
import { foldOf, rowLengthMax, rowsOfLine, TextLines } from "./text-lines.ts";

test("lines are counted and cut as an editor shows them", () => {
  const cases: [string, string[]][] = [
    ["", []],
    ["a", ["a"]],
    ["a\n", ["a"]],
    ["a\n\n", ["a", ""]],
    ["a\nb", ["a", "b"]],
    ["a\r\nb\r\n", ["a", "b"]],
  ];
  for (const [text, expected] of cases) {
    const lines = new TextLines(text);
    assert.equal(lines.count, expected.length, JSON.stringify(text));
    for (const [index, line] of expected.entries()) assert.equal(lines.slice(index, index + 1), line);
  }
  assert.equal(new TextLines("a\nb\nc\n").slice(1, 99), "b\nc");
  assert.equal(new TextLines("a\nb").slice(5, 9), "");
});

test("a text of millions of lines is indexed without a copy of each", () => {
  const lines = new TextLines("x\n".repeat(3_000_000));
  assert.equal(lines.count, 3_000_000);
  assert.equal(lines.slice(2_999_998, 3_000_000), "x\nx");
});

test("a fold hides the middle, unless it would hide little", () => {
  assert.deepEqual(foldOf(100, 12, 4), { head: 12, tail: 4, hidden: 84 });
  assert.deepEqual(foldOf(18, 12, 4), { head: 18, tail: 0, hidden: 0 });
  assert.deepEqual(foldOf(0, 12, 4), { head: 0, tail: 0, hidden: 0 });
});

test("the rows of a long line add up to the line", () => {
  const line = `${"👍".repeat(rowLengthMax)}x`;
  const rows = rowsOfLine(line);
  assert.equal(rows.join(""), line);
  assert.ok(rows.every((row) => row.length <= rowLengthMax && row.isWellFormed()));
  assert.deepEqual(rowsOfLine(""), [""]);
});

test("the pages of a text add up to the text, and none is too long", () => {
  for (const text of ["a\nb\nc\nd\ne\n", `${"x".repeat(95)}\nshort\n\n${"y".repeat(12)}`, "\n".repeat(50), "", "one"]) {
    const pages = new TextLines(text).pages(3, 10);
    assert.ok(pages.every((page) => page.text.length <= 10 && page.lastLine - page.firstLine <= 3));
    assert.equal(
      pages
        .map((page) => page.text)
        .join("")
        .replaceAll("\n", ""),
      text.replaceAll("\n", ""),
    );
    for (const [index, page] of pages.entries()) {
      const next = pages[index + 1];
      assert.ok(
        next === undefined
          ? page.lastLine === new TextLines(text).count
          : next.firstLine === page.lastLine || next.firstLine === page.firstLine,
      );
    }
  }
});

test("the beginnings of lines say how much of each is missing", () => {
  const lines = new TextLines(`${"x".repeat(300_000)}\r\nab\n\n👍👍\nlast`);
  assert.deepEqual(lines.beginnings(0, 4, 400), {
    text: `${"x".repeat(400)}\nab\n\n👍👍`,
    missing: [299_600, 0, 0, 0],
  });
  assert.deepEqual(lines.beginnings(3, 99, 3), { text: "👍\nlas", missing: [2, 1] });
  assert.deepEqual(lines.beginnings(9, 99, 3), { text: "", missing: [] });
});
