import assert from "node:assert/strict";
import { test } from "node:test";
import { startReading } from "./reading.fixture.ts";

test("what is looked for is written once the keys rest, over the address", () => {
  const { reader, written, pass } = startReading();
  reader.setFind("needle", null);
  pass(199);
  assert.deepEqual(written, []);
  pass(200);
  assert.deepEqual(written, [{ find: "needle", how: "replace" }]);
});

test("what was typed on is not written", () => {
  const { reader, written, pass } = startReading();
  reader.setFind("nee", null)();
  reader.setFind("needle", null);
  pass(200);
  assert.deepEqual(
    written.map(({ find }) => find),
    ["needle"],
  );
});

test("a hit is written with what is looked for, and leads nowhere when the address says so", () => {
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

test("while there is no hit the entry of the address stays", () => {
  const { reader, written, pass } = startReading({ entry: 40 });
  reader.setFind("needle", null);
  pass(200);
  assert.equal("entry" in (written[0] ?? {}), false);
});

test("what the address says already is not written again", () => {
  const { reader, written, pass } = startReading({ entry: 40, find: "needle" });
  reader.setFind("needle", null);
  reader.setFind("needle", 40);
  pass(200);
  assert.deepEqual(written, []);
});

test("what the page is going to say is not written again", () => {
  const { reader, written, pass } = startReading();
  reader.setFind("needle", 40);
  pass(200);
  reader.setFind("needle", 40);
  pass(200);
  assert.equal(written.length, 1);
});

test("texts that are written one after the other may come as one, or one by one: none is taken for somebody going back", () => {
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

test("who goes back is asked to look for what the address says then, or for nothing", () => {
  const { reader, address, pass } = startReading();
  reader.setFind("needle", null);
  pass(200);
  address({ entry: null, find: "needle" });
  address({ entry: null, find: "hay" });
  assert.deepEqual(reader.snapshot.asked, { find: "hay" });
  address({ entry: null, find: null });
  assert.deepEqual(reader.snapshot.asked, { find: null });
});

test("what is asked for a second time is asked anew", () => {
  const { reader, address } = startReading();
  address({ entry: null, find: "hay" });
  const before = reader.snapshot.asked;
  address({ entry: null, find: "straw" });
  address({ entry: null, find: "hay" });
  assert.deepEqual(reader.snapshot.asked, before);
  assert.notEqual(reader.snapshot.asked, before);
});

test("a search that is closed before its text has come to the address is taken out of the address", () => {
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

test("a search that is closed leaves the entry that it led to in the address", () => {
  const { reader, written, pass } = startReading();
  reader.setFind("needle", 40);
  pass(200);
  reader.setFind(null, null);
  pass(200);
  assert.deepEqual(written.at(-1), { find: null, how: "replace" });
});

test("a search that is opened from an address does not lead to its entry twice", () => {
  const { reader, list, address } = startReading({ entry: 700, find: "needle" });
  address({ entry: 700, find: "needle" });
  assert.deepEqual([list.news(), reader.snapshot.asked], [[], null]);
});

test("a mark between two hits is no reason to write the first one again", () => {
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

test("a hit that came while the run grew is gone to like any other", () => {
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

test("growth while a hit is on its way to the view does not lead elsewhere", () => {
  const { reader, list, pass } = startReading({ list: { isSlow: true } });
  reader.toEnd();
  list.news();
  reader.goToSeq(300, { align: "center", within: 4_000 });
  list.grow(100);
  pass(100);
  assert.deepEqual(list.news(), ["299 center 4000px", "focus none"]);
});

test("another view of the run takes the entry out of the address, and back again nothing is expected of it", () => {
  const { reader, list, written, address } = startReading({ entry: 500 });
  reader.showTab("changes");
  assert.deepEqual(written, [{ tab: "changes", entry: null, how: "push" }]);
  address({ entry: null });
  address({ entry: 500 });
  assert.deepEqual(list.news(), ["499 center", "focus none"]);
});

test("a link that the reader opens while the search writes is followed", () => {
  const { reader, list, address, pass } = startReading();
  reader.setFind("needle", 40);
  pass(200);
  address({ entry: 900, find: "hay" });
  assert.deepEqual([list.news(), reader.snapshot.asked], [["899 center", "focus none"], { find: "hay" }]);
});
