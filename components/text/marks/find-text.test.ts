import assert from "node:assert/strict";
import { test } from "node:test";
import { findMatches, holds, needleOf, placeOf, rowOfPlace } from "./find-text.ts";
import { valueHolds } from "./value-holds.ts";

test("matches are found whatever their case, in order and without overlap", () => {
  assert.deepEqual(findMatches("aAaA b", "aa"), [
    { from: 0, to: 2 },
    { from: 2, to: 4 },
  ]);
  assert.deepEqual(findMatches("Ärger ÄRGER", needleOf("ärG"), 1), [{ from: 0, to: 3 }]);
  assert.deepEqual(findMatches("anything", ""), []);
});

test("letters whose lower case has another length do not shift what follows them", () => {
  const text = "İİ Needle İ needle";
  const found = findMatches(text, "needle").map(({ from, to }) => text.slice(from, to));
  assert.deepEqual(found, ["Needle", "needle"]);
});

test("a match across the pieces of a long text is found once", () => {
  for (const before of [262_139, 262_143, 262_144, 524_285]) {
    const text = `${"x".repeat(before)}Needle${"y".repeat(300_000)}nEEdle`;
    assert.deepEqual(
      findMatches(text, "needle").map(({ from }) => from),
      [before, before + 6 + 300_000],
    );
  }
});

test("the texts of a value are searched at any depth: strings, numbers, names that are no labels, and their literals", () => {
  let deep: unknown = { found: "the Needle" };
  for (let depth = 0; depth < 20_000; depth += 1) deep = [deep];
  assert.ok(valueHolds(deep, "needle"));
  assert.ok(valueHolds({ exit: 137 }, "37"));
  assert.ok(valueHolds({ needle: [null, true, "other"] }, "needle"));
  assert.ok(valueHolds({ done: [true] }, "true") && valueHolds({ ready: null }, "null"));
  assert.ok(!valueHolds({ path: ["other"], output: null, success: true }, "path"));
  assert.ok(!valueHolds({ path: ["other"], output: null, success: true }, "u"));
  assert.ok(valueHolds({ output: "\u001B[31merr\u001B[0mor" }, "error"));
  assert.ok(!holds("", "x"));
});

test("a match has a position in its line, and the line's rows know which of them shows it", () => {
  const text = "one\ntwo a a\nA tree";
  const [, second, third] = findMatches(text, "a");
  assert.deepEqual(placeOf(text, "a", second?.from ?? 0), { line: 1, nth: 1 });
  assert.deepEqual(placeOf(text, "a", third?.from ?? 0), { line: 2, nth: 0 });
  const rows = [
    { line: 0, text: "one" },
    { line: 1, text: "two a " },
    { line: 1, text: "a" },
    { line: 2, text: "A tree" },
  ];
  assert.deepEqual(rowOfPlace(rows, "a", { line: 1, nth: 1 }), { row: 2, nth: 0 });
  assert.deepEqual(rowOfPlace(rows, "a", { line: 1, nth: 5 }), { row: 1, nth: 0 });
  assert.equal(rowOfPlace(rows, "a", { line: 9, nth: 0 }), null);
});
