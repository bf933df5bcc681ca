import assert from "node:assert/strict";
import { test } from "node:test";
import * as tables from "./key-tables.ts";
import { actOf, findKeys, type KeyTable, keyOf, paletteKeys, traceKeys, writtenKeys } from "./key-tables.ts";
import * as listTables from "./list-key-tables.ts";
import * as tabTables from "./tab-key-tables.ts";
import { timelineKeys } from "./tab-key-tables.ts";

const all = Object.entries<unknown>({ ...tables, ...listTables, ...tabTables }).flatMap(
  ([name, value]): [string, KeyTable][] => (Array.isArray(value) ? [[name, value]] : []),
);

test("no key of a table has two actions, and none is a key that works on every page", () => {
  assert.ok(all.length >= 7);
  for (const [name, rows] of all) {
    const keys = rows.flatMap((row) => Object.keys(row.keys));
    assert.equal(new Set(keys).size, keys.length, name);
    if (name !== "helpKeys") assert.ok(!keys.includes("?"), name);
  }
});

test("the find keys differ from the step keys: both are bound on the same page", () => {
  const used = new Set(traceKeys.flatMap((row) => Object.keys(row.keys)));
  for (const { keys } of findKeys) for (const key of Object.keys(keys)) assert.ok(!used.has(key), key);
});

test("a key performs the action of its line; letters are case-sensitive, and nothing happens together with a command key", () => {
  assert.equal(actOf(traceKeys, "j", false), "next");
  assert.equal(actOf(traceKeys, "J", false), "next-error");
  assert.equal(actOf(traceKeys, "j", true), null);
  assert.equal(actOf(traceKeys, "toString", false), null);
  assert.equal(actOf(timelineKeys, "=", false), "closer");
  assert.equal(actOf(timelineKeys, "0", false), "whole");
  assert.equal(actOf(paletteKeys, "K", true), "palette");
  assert.equal(actOf(paletteKeys, "k", false), null);
});

test("on a layout without Latin letters a key is the letter at its place; other keys are what they write", () => {
  assert.equal(keyOf({ key: "л", code: "KeyK", shiftKey: false }), "k");
  assert.equal(keyOf({ key: "О", code: "KeyJ", shiftKey: true }), "J");
  // Dvorak, a Turkish and a French keyboard.
  assert.equal(keyOf({ key: "t", code: "KeyK", shiftKey: false }), "t");
  assert.equal(keyOf({ key: "ı", code: "KeyI", shiftKey: false }), "ı");
  // Caps Lock, with and without Shift.
  assert.equal(keyOf({ key: "J", code: "KeyJ", shiftKey: false }), "j");
  assert.equal(keyOf({ key: "j", code: "KeyJ", shiftKey: true }), "J");
  assert.equal(keyOf({ key: "О", code: "KeyJ", shiftKey: false }), "j");
  assert.equal(keyOf({ key: "?", code: "KeyM", shiftKey: true }), "?");
  assert.equal(keyOf({ key: "ArrowDown", code: "ArrowDown", shiftKey: false }), "ArrowDown");
});

test("keys are written as on the keyboard", () => {
  const written = (rows: KeyTable) => rows.map((row) => writtenKeys(row, "⌘").join(" "));
  assert.deepEqual(written(timelineKeys).slice(0, 3), ["+ −", "0", "← →"]);
  assert.deepEqual(written(paletteKeys), ["⌘K"]);
  assert.deepEqual(written(findKeys), ["/", "⌘F ⌘G"]);
  for (const [name, rows] of all) for (const row of rows) assert.ok(writtenKeys(row, "⌘").length > 0, name);
});
