import assert from "node:assert/strict";
import { test } from "node:test";
import { exceedsDepth } from "./json-depth.ts";

const exceeds = (json: string, depth: number) => exceedsDepth(Buffer.from(json), depth);

test("depth counts nested arrays and objects, neighbors once", () => {
  assert.equal(exceeds("[[1],[2],{}]", 2), false);
  assert.equal(exceeds("[[[1]]]", 2), true);
  assert.equal(exceeds('{"a":[{"b":1}]}', 3), false);
  assert.equal(exceeds('{"a":[{"b":1}]}', 2), true);
  assert.equal(exceeds("7", 0), false);
});

test("brackets inside strings do not count, whatever is escaped", () => {
  for (const text of ["[[[[", '\\"[[[[', "\\\\", '\\\\\\"[[[[', "ü[[[["]) {
    assert.equal(exceeds(`["${text}"]`, 1), false, text);
    assert.equal(exceeds(`["${text}",[]]`, 1), true, text);
  }
});

test("an unterminated string adds no depth, and causes no endless loop", () => {
  assert.equal(exceeds('["abc', 1), false);
  assert.equal(exceeds(`["${"\\".repeat(1001)}"`, 1), false);
});

test("ten million brackets are refused without building a value", () => {
  assert.equal(exceeds("[".repeat(10_000_000), 64), true);
});
