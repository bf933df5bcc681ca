import assert from "node:assert/strict";
import { test } from "node:test";
import { lookAlikesIn } from "./look-alikes.ts";

test("letters of another script in words that look Latin are found, whatever the script", () => {
  const found = (text: string) => lookAlikesIn(text).map((at) => text.codePointAt(at)?.toString(16));
  assert.deepEqual(found("p\u0430ypal"), ["430"]);
  assert.deepEqual(found("const user_n\u0430me = isAdm\u0456n;"), ["430", "456"]);
  assert.deepEqual(found("g\u03bf\u03bfgle, p\u03b1ypal, \u0391dmin"), ["3bf", "3bf", "3b1", "391"]);
  assert.deepEqual(found("PDF\u0430"), ["430"]);
  assert.deepEqual(lookAlikesIn("😀 p\u0430y"), [4]);
});

test("words of one script, formulas and words that show that they are mixed are no false alarm", () => {
  for (const text of [
    ...[
      "",
      "plain",
      "Straße",
      "naïve café Ångström",
      "Вот комментарий о том, как это работает",
      "Ελληνικά και αγγλικά",
    ],
    ...[
      "Δx",
      "αx",
      "ρmax",
      "dα",
      "σ_x",
      "λ2",
      "5 µs",
      "Ωm",
      "commitами",
      "git-ом",
      "API-шный",
      "日本語text",
      "한국어abc",
    ],
    ...["שלום hello", "مرحبا", "user_имя", "a + б", "ß".repeat(1000)],
  ])
    assert.deepEqual(lookAlikesIn(text), [], text);
});

test("a megabyte of letters is read in an instant", () => {
  const started = process.cpuUsage();
  for (const part of ["\u0430", "a\u0430", "a\u03b1", "\u03b1", "а ", "a\u0301"]) lookAlikesIn(part.repeat(500_000));
  assert.ok(process.cpuUsage(started).user < 20_000_000);
});
