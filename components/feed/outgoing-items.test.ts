import assert from "node:assert/strict";
import { test } from "node:test";
import { outgoingFor } from "./outgoing-items.ts";

const none = { first: 0, last: -1, left: null };

test("the items in view stay on the page when the reader jumps to a place where none of them is rendered", () => {
  const shown = { first: 10, last: 19, left: null };
  assert.deepEqual(outgoingFor({ first: 500, last: 500 }, shown, shown), { first: 10, last: 19 });
  assert.deepEqual(outgoingFor({ first: 3, last: 9 }, shown, shown), { first: 10, last: 19 });
  assert.equal(outgoingFor({ first: 3, last: 10 }, shown, shown), null);
  assert.equal(outgoingFor({ first: 19, last: 30 }, shown, shown), null);
  assert.equal(outgoingFor({ first: 0, last: 9 }, none, none), null);
});

test("while the view around a target fills, the same items stay hidden", () => {
  const left = { first: 10, last: 19 };
  const arrived = { first: 500, last: 500, left };
  assert.equal(outgoingFor({ first: 498, last: 505 }, arrived, arrived), left);
  // A second request before the first is on the page hides no more items.
  const before = { ...left, left: null };
  assert.equal(outgoingFor({ first: 500, last: 500 }, before, arrived), left);
  assert.deepEqual(outgoingFor({ first: 900, last: 900 }, arrived, arrived), { first: 500, last: 500 });
});
