import assert from "node:assert/strict";
import { test } from "node:test";
import { densePlaces, placeAmong, placeFrom } from "./places.ts";

test("in a list without gaps each place has an item, and items beyond the end are not shown", () => {
  const places = densePlaces(3);
  assert.deepEqual([-1, 0, 2, 3].map(places.seqAt), [null, 1, 3, null]);
  assert.deepEqual(places.find(3), { index: 2, isShown: true });
  assert.deepEqual(places.find(4), { index: 2, isShown: false });
  assert.deepEqual(densePlaces(0).find(1), { index: 0, isShown: false });
});

test("loaded items determine an item's place, and only two neighbors prove that an item between them is not shown", () => {
  const items = new Map([10, 14, 30].map((seq, index) => [50 + index, { seq }] as const));
  items.set(90, { seq: 500 });
  assert.deepEqual(placeAmong(items, 14), { index: 51, isShown: true });
  assert.deepEqual(placeAmong(items, 20), { index: 52, isShown: false });
  for (const seq of [5, 31, 499, 501]) assert.equal(placeAmong(items, seq), null, String(seq));
});

test("the server's answer gives the place of the item, of the next one, or of the last", () => {
  assert.deepEqual(placeFrom({ skip: 4, seq: 20, matching_logs: 9 }, 20), { index: 4, isShown: true });
  assert.deepEqual(placeFrom({ skip: 4, seq: 22, matching_logs: 9 }, 20), { index: 4, isShown: false });
  assert.deepEqual(placeFrom({ skip: 9, seq: null, matching_logs: 9 }, 20), { index: 8, isShown: false });
  assert.deepEqual(placeFrom({ skip: 0, seq: null, matching_logs: 0 }, 20), { index: 0, isShown: false });
});
