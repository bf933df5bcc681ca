import assert from "node:assert/strict";
import { test } from "node:test";
import { countFields, countFieldsOf, repeatedField } from "./json-fields.ts";

const exceeds = (json: string, depth: number) => countFields(Buffer.from(json), depth) === null;

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

test("a field that an object has twice is found by its path", () => {
  const repeated: [json: string, path: (string | number)[]][] = [
    ['{"a":1,"a":1}', ["a"]],
    ['{"a":{"b":[{},{"x":1 , "y":{"x":"}"},"\\u0078" : 2}]}}', ["a", "b", 1, "x"]],
    ['[1,"a:b",{"\\"":1,"c":[],"\\u0022":2}]', [2, '"']],
    ['{"__proto__":1,"__proto__":2}', ["__proto__"]],
  ];
  for (const [json, path] of repeated) {
    assert.deepEqual(repeatedField(json), path);
    assert.ok((countFields(Buffer.from(json), 9) ?? 0) > countFieldsOf(JSON.parse(json)), json);
  }
  const each = '{"a":{"a":[{"a":":{"},{"a":"\\":"}]},"__proto__":{"x":1},"":[[]],"constructor":":"}';
  assert.equal(repeatedField(each), null);
  assert.equal(countFields(Buffer.from(each), 9), 8);
  assert.equal(countFieldsOf(JSON.parse(each)), 8);
});
