import assert from "node:assert/strict";
import { test } from "node:test";
import { cutStart, cutText } from "./cut-text.ts";

test("a text that fits stays as it is, and a longer one is cut between characters, with the mark within the bound", () => {
  assert.equal(cutText("abc", 3, "…"), "abc");
  assert.equal(cutText(`${"e".repeat(248)}😀😀`, 250, "…"), `${"e".repeat(248)}…`);
  assert.equal(cutText("a👨‍👩‍👧b", 8, "…"), "a…");
  assert.equal(cutText("né e\u0301e\u0301", 6), "né e\u0301");
  assert.equal(cutText("🇩🇪🇫🇷", 6), "🇩🇪");
  assert.equal(cutText("", 0, "…"), "");
  assert.equal(cutStart("a👨‍👩‍👧b", 4, "…"), "…b");
  assert.equal(cutStart("abcdef", 3, "…"), "…ef");
});

test("no cut makes half a character, keeps one, or costs more for a longer text", () => {
  for (const text of ["😀".repeat(500), "\ud83d".repeat(500), `e${"\u0301".repeat(5000)}`, "👨‍👩‍👧".repeat(300)]) {
    for (let max = 0; max < 420; max += 1) {
      const [begin, end] = [cutText(text, max, "…"), cutStart(text, max, "…")];
      assert.ok(begin.isWellFormed() && end.isWellFormed());
      assert.ok(begin.length <= Math.max(1, max) && end.length <= Math.max(1, max), `${max}`);
    }
  }
  const long = "😀".repeat(500_000);
  const before = process.cpuUsage();
  for (let count = 0; count < 1000; count += 1) cutText(long, 900_001);
  assert.ok(process.cpuUsage(before).user < 5_000_000);
});
