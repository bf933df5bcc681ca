import assert from "node:assert/strict";
import { test } from "node:test";
import { startReading } from "./reading.fixture.ts";

test("a search text is written after a pause in typing, replacing the address", () => {
  const { reader, written, pass } = startReading();
  reader.setFind("needle", null);
  pass(199);
  assert.deepEqual(written, []);
  pass(200);
  assert.deepEqual(written, [{ find: "needle", how: "replace" }]);
});

test("text is not written while the reader is still typing", () => {
  const { reader, written, pass } = startReading();
  reader.setFind("nee", null)();
  reader.setFind("needle", null);
  pass(200);
  assert.deepEqual(
    written.map(({ find }) => find),
    ["needle"],
  );
});

test("a hit is written together with the text, and its return through the address moves nothing", () => {
  const { reader, list, written, address, pass } = startReading();
  reader.goToSeq(500, { align: "center" });
  reader.setFind("needle", 500);
  pass(200);
  assert.deepEqual(written, [{ find: "needle", entry: "500", how: "replace" }]);
  reader.toEdge("first");
  list.news();
  address({ entry: 500, find: "needle" });
  assert.deepEqual([list.news(), reader.snapshot.asked], [[], null]);
});

test("while there is no hit, the address keeps its entry", () => {
  const { reader, written, pass } = startReading({ entry: 40 });
  reader.setFind("needle", null);
  pass(200);
  assert.equal("entry" in (written[0] ?? {}), false);
});

test("what the address already says is not written again", () => {
  const { reader, written, pass } = startReading({ entry: 40, find: "needle" });
  reader.setFind("needle", null);
  reader.setFind("needle", 40);
  pass(200);
  assert.deepEqual(written, []);
});

test("what is about to be written is not written again", () => {
  const { reader, written, pass } = startReading();
  reader.setFind("needle", 40);
  pass(200);
  reader.setFind("needle", 40);
  pass(200);
  assert.equal(written.length, 1);
});

test("texts written one after the other may come back as one or one by one: none counts as going back", () => {
  for (const comes of [["needle"], ["ne", "needle"], ["ne", "need", "needle"]]) {
    const { reader, address, pass } = startReading();
    for (const text of ["ne", "need", "needle"]) {
      reader.setFind(text, null);
      pass(200);
    }
    for (const find of comes) address({ entry: null, find });
    assert.equal(reader.snapshot.asked, null, comes.join());
  }
});

test("going back searches for the text in the address, or ends the search", () => {
  const { reader, address, pass } = startReading();
  reader.setFind("needle", null);
  pass(200);
  address({ entry: null, find: "needle" });
  address({ entry: null, find: "hay" });
  assert.deepEqual(reader.snapshot.asked, { find: "hay" });
  address({ entry: null, find: null });
  assert.deepEqual(reader.snapshot.asked, { find: null });
});

test("the same text from the address a second time is a new request", () => {
  const { reader, address } = startReading();
  address({ entry: null, find: "hay" });
  const before = reader.snapshot.asked;
  address({ entry: null, find: "straw" });
  address({ entry: null, find: "hay" });
  assert.deepEqual(reader.snapshot.asked, before);
  assert.notEqual(reader.snapshot.asked, before);
});

test("closing a search before its text is in the address removes it from the address", () => {
  const { reader, written, address, pass } = startReading();
  reader.setFind("needle", null);
  pass(200);
  reader.setFind(null, null);
  pass(200);
  assert.deepEqual(
    written.map(({ find }) => find),
    ["needle", null],
  );
  address({ entry: null, find: "needle" });
  address({ entry: null, find: null });
  assert.equal(reader.snapshot.asked, null);
});

test("closing a search keeps the entry it led to in the address", () => {
  const { reader, written, pass } = startReading();
  reader.setFind("needle", 40);
  pass(200);
  reader.setFind(null, null);
  pass(200);
  assert.deepEqual(written.at(-1), { find: null, how: "replace" });
});

test("a search opened from an address does not go to its entry twice", () => {
  const { reader, list, address } = startReading({ entry: 700, find: "needle" });
  address({ entry: 700, find: "needle" });
  assert.deepEqual([list.news(), reader.snapshot.asked], [[], null]);
});

test("a mark between two hits does not make the first one be written again", () => {
  const { reader, list, written, address, pass } = startReading();
  reader.setFind("needle", 40);
  pass(200);
  reader.mark(41);
  reader.setFind("needle", 500);
  pass(200);
  assert.deepEqual(
    written.map(({ entry }) => entry),
    ["40", "41", "500"],
  );
  for (const entry of [40, 41, 500]) address({ entry, find: "needle" });
  assert.deepEqual(list.news(), []);
});

test("a hit found while the run grew is navigated to like any other", () => {
  const { reader, list, address, pass } = startReading();
  reader.setFind("needle", 7);
  pass(200);
  list.grow(100);
  reader.goToSeq(1090, { align: "center" });
  reader.setFind("needle", 1090);
  pass(200);
  address({ entry: 1090, find: "needle" });
  assert.deepEqual(list.news(), ["1089 center", "focus none"]);
  assert.equal(reader.snapshot.hidden, null);
});

test("growth while a hit is loading does not change where the reader goes", () => {
  const { reader, list, pass } = startReading({ list: { isSlow: true } });
  reader.toEnd();
  list.news();
  reader.goToSeq(300, { align: "center", within: 4_000 });
  list.grow(100);
  pass(100);
  assert.deepEqual(list.news(), ["299 center 4000px", "focus none"]);
});

test("another tab removes the entry from the address, and coming back expects nothing of it", () => {
  const { reader, list, written, address } = startReading({ entry: 500 });
  reader.showTab("changes");
  assert.deepEqual(written, [{ tab: "changes", entry: null, how: "push" }]);
  address({ entry: null });
  address({ entry: 500 });
  assert.deepEqual(list.news(), ["499 center", "focus none"]);
});

test("a link opened while the search is writing is followed", () => {
  const { reader, list, address, pass } = startReading();
  reader.setFind("needle", 40);
  pass(200);
  address({ entry: 900, find: "hay" });
  assert.deepEqual([list.news(), reader.snapshot.asked], [["899 center", "focus none"], { find: "hay" }]);
});
