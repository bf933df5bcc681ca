import assert from "node:assert/strict";
import { test } from "node:test";
import { answered, startReading } from "./reading.fixture.ts";

test("an entry that is marked is written over the address, and nothing moves when the address says so", () => {
  const { reader, list, written, address } = startReading();
  reader.mark(500);
  assert.deepEqual(written, [{ entry: "500", how: "replace" }]);
  address({ entry: 500 });
  assert.deepEqual(list.news(), []);
});

test("an address that somebody else has changed is followed, with the entry in the middle", () => {
  const { list, address } = startReading();
  address({ entry: 500 });
  assert.deepEqual(list.news(), ["499 center", "focus none"]);
});

test("where the entry of the address is in view nothing moves, and its group opens", () => {
  const { reader, list, address } = startReading();
  address({ entry: 3 });
  assert.deepEqual([list.news(), [...reader.snapshot.folding.revealed]], [[], [3]]);
});

test("whether an entry is in view is not asked of the server", () => {
  const { list, address } = startReading({ filterKey: "errors=1", list: { seqs: [3, 9], isServerAsked: true } });
  address({ entry: 9, filterKey: "errors=1" });
  assert.deepEqual([list.lookups.length, list.news()], [0, []]);
  address({ entry: 5, filterKey: "errors=1" });
  assert.equal(list.lookups.length, 1);
});

test("the same address again says nothing new, wherever the reader is by then", () => {
  const { list, address } = startReading({ entry: 500 });
  address({ entry: 500 });
  address({ entry: 500 });
  assert.deepEqual(list.news(), []);
});

test("an address without an entry moves nothing", () => {
  const { list, address } = startReading({ entry: 500 });
  address({ entry: null });
  assert.deepEqual(list.news(), []);
  address({ entry: 500 });
  assert.deepEqual(list.news(), ["499 center", "focus none"]);
});

test("who goes on before the address follows is not led back", () => {
  const { reader, list, address, pass } = startReading();
  reader.goToSeq(777);
  reader.mark(777, "soon");
  reader.toEdge("first");
  list.news();
  pass(300);
  address({ entry: 777 });
  assert.deepEqual(list.news(), []);
});

test("marks that follow each other closely may come to the address as one, or one by one", () => {
  for (const comes of [[30], [10, 30], [10, 20, 30]]) {
    const { reader, list, address } = startReading();
    for (const seq of [10, 20, 30]) reader.mark(seq);
    for (const entry of comes) address({ entry });
    assert.deepEqual(list.news(), [], comes.join());
  }
});

test("an entry that was marked and left is followed when it is gone back to", () => {
  const { reader, list, address } = startReading();
  reader.mark(500);
  address({ entry: 500 });
  reader.mark(900);
  address({ entry: 900 });
  address({ entry: 500 });
  assert.deepEqual(list.news(), ["499 center", "focus none"]);
});

test("back and forward lead to each entry in turn", () => {
  const { list, address } = startReading();
  for (const entry of [500, 900, 500, 900]) address({ entry });
  assert.deepEqual(
    list.news().filter((told) => told.includes("center")),
    ["499 center", "899 center", "499 center", "899 center"],
  );
});

test("who goes back before a mark has come to the address is led back, and led on when they go forward to it", () => {
  const { reader, list, address } = startReading({ entry: 5 });
  reader.mark(500);
  address({ entry: 700 });
  assert.deepEqual(list.news(), ["699 center", "focus none"]);
  address({ entry: 500 });
  assert.deepEqual(list.news(), ["499 center", "focus none"]);
});

test("who goes back while a jump is on its way is not led on by it, also where what they go back to is in view", async () => {
  const { reader, list, address, pass } = startReading({ list: { isSlow: true } });
  reader.goToSeq(900);
  address({ entry: 3 });
  list.waiting[0]?.resolve(null);
  pass(100);
  await answered();
  assert.deepEqual(list.news(), []);
});

test("an entry that is marked twice is written twice and expected once", () => {
  const { reader, list, address, written } = startReading();
  reader.mark(500);
  reader.mark(500);
  assert.equal(written.length, 2);
  address({ entry: 500 });
  address({ entry: 3 });
  list.news();
  address({ entry: 500 });
  assert.deepEqual(list.news(), ["499 center", "focus none"]);
});

test("a mark of what the address says already does not hide the next change", () => {
  const { reader, list, address } = startReading({ entry: 500 });
  reader.mark(500);
  address({ entry: 3 });
  list.news();
  address({ entry: 500 });
  assert.deepEqual(list.news(), ["499 center", "focus none"]);
});

test("of marks that can wait only the last is written, once the step has been shown", () => {
  const { reader, written, pass } = startReading();
  reader.mark(10, "soon");
  reader.mark(20, "soon");
  pass(299);
  assert.deepEqual(written, []);
  pass(300);
  assert.deepEqual(written, [{ entry: "20", how: "replace" }]);
});

test("a mark that cannot wait takes the place of one that can", () => {
  const { reader, written, pass } = startReading();
  reader.mark(10, "soon");
  reader.mark(20);
  pass(300);
  assert.deepEqual(written, [{ entry: "20", how: "replace" }]);
});

test("no mark is written once the list is gone: the address may be another page's", () => {
  const { reader, remove, written, pass } = startReading();
  reader.mark(10, "soon");
  remove();
  pass(300);
  assert.deepEqual(written, []);
});

test("a dialog that closes after the reader has gone on leaves them alone", () => {
  const { reader } = startReading({ list: { isSlow: true } });
  const journey = reader.goToSeq(500);
  assert.ok(reader.isLast(journey));
  reader.step(1);
  assert.ok(!reader.isLast(journey));
  for (const go of [() => reader.pass(3), () => reader.toEnd(), () => reader.toEdge("first")]) {
    const next = reader.goToSeq(500);
    go();
    assert.ok(!reader.isLast(next));
  }
});

test("a dialog that closes once the step is shown may give it the keyboard", async () => {
  const { reader, list } = startReading({ list: { isSlow: true } });
  const journey = reader.goToSeq(500);
  list.waiting[0]?.resolve(null);
  await answered();
  assert.ok(reader.isLast(journey));
});

test("another view of the run leads to the steps: an address to go back from, one jump, no second one when it comes", async () => {
  const { reader, list, written, address } = startReading({ list: { isSlow: true } });
  reader.open(500);
  assert.deepEqual(written, [{ tab: "trace", entry: "500", how: "push" }]);
  address({ entry: 500 });
  list.waiting[0]?.resolve(null);
  await answered();
  assert.deepEqual(list.news(), ["499 start", "focus none"]);
});

test("with another filter the list opens where it is told to: its first address moves nothing", () => {
  const { list, address, show } = startReading({ entry: 5 });
  const next = startReading().list;
  show(next);
  address({ entry: 500, filterKey: "errors=1" });
  assert.deepEqual([list.news(), next.news()], [[], []]);
  address({ entry: 700, filterKey: "errors=1" });
  assert.deepEqual(next.news(), ["699 center", "focus none"]);
});

test("a filter that is changed in mid-jump ends the jump", async () => {
  const { reader, list, remove, address, pass, show } = startReading({ list: { isSlow: true } });
  reader.goToSeq(500);
  remove();
  address({ entry: null, filterKey: "errors=1" });
  const next = startReading({ list: { seqs: [3, 9] } }).list;
  show(next);
  list.waiting[0]?.resolve(null);
  pass(100);
  await answered();
  assert.deepEqual([list.news(), next.news(), reader.snapshot.hidden], [[], [], null]);
});

test("an entry that the filter hides is told of for that filter, until it has been seen", () => {
  const { reader, list } = startReading({ filterKey: "errors=1", list: { seqs: [3, 9] } });
  reader.goToSeq(5);
  assert.deepEqual(reader.snapshot.hidden, { seq: 5, filterKey: "errors=1" });
  assert.deepEqual(list.news(), []);
  reader.setHidden(null);
  assert.equal(reader.snapshot.hidden, null);
});

test("an entry that the address names and the filter hides is told of", () => {
  const { reader, address } = startReading({ filterKey: "errors=1", list: { seqs: [3, 9] } });
  address({ entry: 5, filterKey: "errors=1" });
  assert.equal(reader.snapshot.hidden?.seq, 5);
});

test("what is told as hidden by a filter that has just been chosen is told for that filter", () => {
  const { reader, address } = startReading();
  address({ entry: 5, filterKey: "errors=1" });
  reader.setHidden(5);
  assert.equal(reader.snapshot.hidden?.filterKey, "errors=1");
});

test("the snapshot is the same object until something changes, and each change is told once", () => {
  const { reader } = startReading();
  let told = 0;
  const stop = reader.subscribe(() => (told += 1));
  const before = reader.snapshot;
  reader.goToSeq(5);
  assert.notEqual(reader.snapshot, before);
  const after = reader.snapshot;
  reader.goToSeq(5);
  assert.deepEqual([reader.snapshot === after, told], [true, 1]);
  stop();
  reader.toggleAll();
  assert.equal(told, 1);
});

test("the entry that is marked is the one that the address names, once it does", () => {
  const { reader, address } = startReading({ entry: 5 });
  assert.equal(reader.snapshot.marked, 5);
  reader.mark(500);
  assert.equal(reader.snapshot.marked, 5);
  address({ entry: 500 });
  assert.equal(reader.snapshot.marked, 500);
  address({ entry: null });
  assert.equal(reader.snapshot.marked, null);
});

test("the entry that a link by something else leads to takes its place in the address, and is gone to once", () => {
  const { reader, list, written, address } = startReading();
  reader.resolveLink(500);
  assert.deepEqual(written, [{ toolCallId: null, entry: "500", how: "replace" }]);
  assert.deepEqual([list.news(), [...reader.snapshot.folding.revealed]], [["499 center", "focus none"], [500]]);
  address({ entry: 500 });
  assert.deepEqual(list.news(), []);
});

test("a link that leads nowhere is taken out of the address, and nothing moves", () => {
  const { reader, list, written } = startReading({ entry: 5 });
  reader.resolveLink(null);
  assert.deepEqual([written, list.news()], [[{ toolCallId: null, how: "replace" }], []]);
});
