import assert from "node:assert/strict";
import { test } from "node:test";
import { TextLines } from "#components/text/text-lines.ts";
import { plainTerminalText } from "#lib/entry/terminal-text.ts";
import { isFarDown, isHidden, pageOfMatch } from "./match-place.ts";

test("a text in pages shows the page with the match, at its line", () => {
  const text = Array.from({ length: 1_000 }, (_, line) =>
    line % 400 === 333 ? `a Needle needle ${line}` : "hay",
  ).join("\n");
  const pages = new TextLines(text).pages(100, 100_000);
  assert.deepEqual(pageOfMatch(pages, { needle: "needle", at: null }), { page: 3, place: { line: 33, nth: 0 } });
  const at = text.indexOf("needle 733");
  assert.deepEqual(pageOfMatch(pages, { needle: "needle", at }), { page: 7, place: { line: 33, nth: 1 } });
  assert.equal(pageOfMatch(pages, { needle: "nowhere", at: null }), null);
});

test("in a text with colors a match is at its line, wherever the colors are", () => {
  const line = (index: number) => `\u001B[3${index % 8}mfoo\u001B[0mbar ${index}`;
  const text = Array.from({ length: 1_000 }, (_, index) => line(index)).join("\n");
  const plain = plainTerminalText(text);
  const pages = new TextLines(text).pages(100, 100_000);
  const at = plain.indexOf("foobar 733");
  assert.deepEqual(pageOfMatch(pages, { needle: "foobar", at }, plain), { page: 7, place: { line: 33, nth: 0 } });
  assert.deepEqual(pageOfMatch(pages, { needle: "foobar 250", at: null }, plain), {
    page: 2,
    place: { line: 50, nth: 0 },
  });
  assert.equal(pageOfMatch(pages, { needle: "31m", at: null }, plain), null);
});

test("a match in a line longer than a page is on the part of the line that contains it", () => {
  const text = `first\n${"x".repeat(950)}Needle${"y".repeat(500)}`;
  const pages = new TextLines(text).pages(10, 100);
  const found = pageOfMatch(pages, { needle: "needle", at: text.indexOf("Needle") });
  assert.ok(found !== null);
  assert.ok(pages[found.page]?.text.includes("Needle"));
});

test("a fold opens only for a match that it hides", () => {
  const currentMatch = { needle: "needle", at: null };
  assert.ok(isHidden(currentMatch, "hay\nNeedle", "hay"));
  assert.ok(!isHidden(currentMatch, "Needle\nneedle", "Needle"));
  assert.ok(!isHidden(currentMatch, "hay", "hay"));
  assert.ok(!isHidden(null, "needle", ""));
  assert.ok(isFarDown(currentMatch, `${"line\n".repeat(30)}needle`));
  assert.ok(isFarDown(currentMatch, `${"word ".repeat(200)}needle`));
  assert.ok(!isFarDown(currentMatch, "a needle at the beginning"));
  assert.ok(!isFarDown(currentMatch, "none"));
});
