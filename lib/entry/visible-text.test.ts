import assert from "node:assert/strict";
import { test } from "node:test";
import { hasInvisible, hiddenIn, markInvisible, piecesOf, withoutDirectionMarks } from "./visible-text.ts";

const shownOf = (text: string) =>
  piecesOf(text)
    .map((piece) => (piece.kind === "text" ? piece.text : `⟦${piece.label}⟧`))
    .join("");

test("text without invisible characters is one unchanged piece", () => {
  for (const text of ["plain", "a\tb\nc\r\nd", "שלום עולם", "naïve café", "👩‍👩‍👧‍👦 ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿", "می‌خواهم", "क्‍ष"]) {
    assert.equal(hasInvisible(text), false, JSON.stringify(text));
    assert.deepEqual(piecesOf(text), [{ kind: "text", at: 0, text }]);
  }
  assert.deepEqual(piecesOf(""), []);
});

test("characters that reorder or hide text are shown by their code", () => {
  assert.equal(shownOf("a\u202Eb\u2066c"), "a⟦U+202E⟧b⟦U+2066⟧c");
  assert.equal(shownOf("pay\u200Dpal \u00ADx\uFEFF"), "pay⟦U+200D⟧pal ⟦U+00AD⟧x⟦U+FEFF⟧");
  assert.equal(shownOf("\u{E0041}\u{E0042}"), "⟦U+E0041⟧⟦U+E0042⟧");
  assert.equal(shownOf("\u0000\u001B[31m\u009B"), "⟦U+0000⟧⟦U+001B⟧[31m⟦U+009B⟧");
  assert.equal(shownOf("over\rwritten"), "over⟦U+000D⟧written");
});

test("a run of one character is one piece, and the number of pieces is bounded", () => {
  assert.equal(shownOf(`a${"\u200B".repeat(500_000)}b`), "a⟦U+200B ×500000⟧b");
  const pieces = piecesOf("\u202Ea\u202Db".repeat(200_000));
  assert.ok(pieces.length < 110);
  assert.ok(pieces.some((piece) => piece.kind === "control" && piece.label.endsWith("more")));
});

test("a letter has sixteen marks at most: further ones are shown by their code", () => {
  assert.equal(hasInvisible(`a${"\u0301".repeat(16)}`), false);
  const pieces = piecesOf(`a${"\u0301".repeat(100_000)}b`);
  assert.deepEqual(
    pieces.map((piece) => (piece.kind === "text" ? piece.text : piece.label)),
    [`a${"\u0301".repeat(16)}`, "U+0301 ×99984", "b"],
  );
});

test("undecodable characters are shown sixteen times at most, further ones are counted; a lone surrogate is not shown", () => {
  assert.equal(hasInvisible("\uFFFD".repeat(16)), false);
  assert.equal(shownOf(`a${"\uFFFD".repeat(20_000)}b`), `a${"\uFFFD".repeat(16)}⟦U+FFFD ×19984⟧b`);
  assert.equal(shownOf(`a${"\uD800".repeat(20)}b`), "a⟦U+D800 ×20⟧b");
  assert.equal(shownOf("half \uD83D of 😀"), "half ⟦U+D83D⟧ of 😀");
  assert.equal(hasInvisible("😀".repeat(100)), false);
});

test("text that is sent has no invisible characters, but the joiners of scripts and emoji", () => {
  assert.equal(withoutDirectionMarks("Title \u202Egnp.exe\u2066 x\u2069\u200B\uFEFF"), "Title gnp.exe x");
  assert.equal(withoutDirectionMarks("one\u2028two\rthree\r\nfour\u0000"), "one\ntwo\nthree\r\nfour");
  for (const text of ["plain", "שלום עולם", "مرحبا", "👩‍👩‍👧‍👦 ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿", "می‌خواهم", "क्‍ष", "a\tb\nc"])
    assert.equal(withoutDirectionMarks(text), text);
});

test("a title with marks reads as what it is; titles of all scripts and emoji stay as they are", () => {
  assert.equal(markInvisible("Title \u202Egnp.exe\u2066 x"), "Title ⟦U+202E⟧gnp.exe⟦U+2066⟧ x");
  assert.equal(markInvisible("Pay p\u0430yp\u0430l"), "Pay p⟦U+0430⟧yp⟦U+0430⟧l");
  for (const title of [
    "תיקון הבדיקות",
    "إصلاح الاختبارات",
    "Δx α 5\u00A0km",
    "👩‍👩‍👧‍👦 ship it ❤️",
    "می‌خواهم",
    "क्‍ष",
    "Починить тесты",
  ])
    assert.equal(markInvisible(title), title);
});

test("in code a space that is none is marked, in prose it is not", () => {
  assert.deepEqual([hasInvisible("rm\u00A0-rf"), hasInvisible("rm\u00A0-rf", true)], [false, true]);
  assert.deepEqual(
    piecesOf("a\u00A0\u3000b", true).map((piece) => (piece.kind === "text" ? piece.text : piece.name)),
    [...["a", "space that programs do not treat as one", "space that programs do not treat as one", "b"]],
  );
});

test("characters that hide in a line of code are named once, and those that spelling needs are not", () => {
  assert.deepEqual(hiddenIn('if (level != "user\u202E \u2066// admin\u2069 \u2066")'), ["U+202E", "U+2066", "U+2069"]);
  assert.deepEqual(hiddenIn("let a\u200B = '\u3164\u{E0041}'"), ["U+200B", "U+3164", "U+E0041"]);
  for (const line of ["\uFEFFusing System;", "می‌خواهم 👩‍👧", "a\u00ADb", "\u001B[31m\f", "Straße Δx"])
    assert.deepEqual(hiddenIn(line), []);
});
