import assert from "node:assert/strict";
import { test } from "node:test";
import { besideInPage, hasWrapped, pageBeside, rankOf } from "./find-cursor.ts";

const hit = (seq: number) => ({
  seq,
  message_type: "ACTION",
  tool_name: null,
  field: "thought",
  snippet: "",
  snippet_start: 0,
  snippet_length: 0,
  matches: 1,
});
const page = { skip: 40, hits: [hit(7), hit(9), hit(30)] };

test("steps within a page of hits need no request", () => {
  const cursor = { hit: hit(9), page };
  assert.equal(besideInPage(cursor, "next")?.seq, 30);
  assert.equal(besideInPage(cursor, "previous")?.seq, 7);
  assert.equal(besideInPage({ hit: hit(30), page }, "next"), null);
  assert.equal(rankOf(cursor), 41);
});

test("a rank unknown when the page came is taken from a later answer with the hit", () => {
  const cursor = { hit: hit(9), page: { ...page, skip: null } };
  assert.equal(rankOf(cursor), null);
  assert.equal(rankOf(cursor, { skip: 12, hits: [hit(9)] }), 12);
  assert.equal(rankOf(cursor, { skip: 12, hits: [hit(10)] }), null);
});

test("after the last hit comes the first, and before the first the last", () => {
  const all = { complete: true, matching: 128 };
  assert.deepEqual(pageBeside(900, 127, all, "next", 20), { from: { skip: 0 }, limit: 20, last: false });
  assert.deepEqual(pageBeside(2, 0, all, "previous", 20), { from: { skip: 108 }, limit: 20, last: true });
  assert.deepEqual(pageBeside(50, 5, all, "previous", 20), { from: { skip: 0 }, limit: 5, last: true });
  assert.deepEqual([hasWrapped(900, 2, "next"), hasWrapped(2, 900, "previous")], [true, true]);
  assert.deepEqual([hasWrapped(2, 900, "next"), hasWrapped(900, 2, "previous")], [false, false]);
});

test("while hits are being counted, the next one is requested by its place, and there is no step back without a rank", () => {
  const some = { complete: false, matching: 3 };
  assert.deepEqual(pageBeside(900, null, some, "next", 20), { from: { around: 901 }, limit: 20, last: false });
  assert.deepEqual(pageBeside(900, 2, some, "next", 20), { from: { around: 901 }, limit: 20, last: false });
  assert.equal(pageBeside(900, null, some, "previous", 20), null);
  assert.equal(pageBeside(900, 0, some, "previous", 20), null);
});
