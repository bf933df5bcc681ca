import assert from "node:assert/strict";
import { test } from "node:test";
import { answered, startReading } from "./reading.fixture.ts";

test("marking an entry replaces the one in the address, and nothing moves when the address follows", () => {
  const { reader, list, written, address } = startReading();
  reader.mark(500);
  assert.deepEqual(written, [{ entry: "500", how: "replace" }]);
  address({ entry: 500 });
  assert.deepEqual(list.news(), []);
});

test("a change of the address from outside is followed, with the entry in the middle", () => {
  const { list, address } = startReading();
  address({ entry: 500 });
  assert.deepEqual(list.news(), ["499 center", "focus none"]);
});

test("if the entry in the address is in view nothing moves, and its group opens", () => {
  const { reader, list, address } = startReading();
  address({ entry: 3 });
  assert.deepEqual([list.news(), [...reader.snapshot.folding.revealed]], [[], [3]]);
});

test("whether an entry is in view is known without the server", () => {
  const { list, address } = startReading({ filterKey: "errors=1", list: { seqs: [3, 9], isServerAsked: true } });
  address({ entry: 9, filterKey: "errors=1" });
  assert.deepEqual([list.lookups.length, list.news()], [0, []]);
  address({ entry: 5, filterKey: "errors=1" });
  assert.equal(list.lookups.length, 1);
});

test("the same address again is not followed, wherever the reader is by then", () => {
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

test("a reader who moves on before the address follows is not taken back", () => {
  const { reader, list, address, pass } = startReading();
  reader.goToSeq(777);
  reader.mark(777, "soon");
  reader.toEdge("first");
  list.news();
  pass(300);
  address({ entry: 777 });
  assert.deepEqual(list.news(), []);
});

test("marks in quick succession may reach the address as one or one by one", () => {
  for (const comes of [[30], [10, 30], [10, 20, 30]]) {
    const { reader, list, address } = startReading();
    for (const seq of [10, 20, 30]) reader.mark(seq);
    for (const entry of comes) address({ entry });
    assert.deepEqual(list.news(), [], comes.join());
  }
});

test("going back to an entry marked earlier is followed", () => {
  const { reader, list, address } = startReading();
  reader.mark(500);
  address({ entry: 500 });
  reader.mark(900);
  address({ entry: 900 });
  address({ entry: 500 });
  assert.deepEqual(list.news(), ["499 center", "focus none"]);
});

test("back and forward go to each entry in turn", () => {
  const { list, address } = startReading();
  for (const entry of [500, 900, 500, 900]) address({ entry });
  assert.deepEqual(
    list.news().filter((told) => told.includes("center")),
    ["499 center", "899 center", "499 center", "899 center"],
  );
});

test("going back before a mark has reached the address is followed, and so is going forward to it", () => {
  const { reader, list, address } = startReading({ entry: 5 });
  reader.mark(500);
  address({ entry: 700 });
  assert.deepEqual(list.news(), ["699 center", "focus none"]);
  address({ entry: 500 });
  assert.deepEqual(list.news(), ["499 center", "focus none"]);
});

test("going back ends a jump under way, even if the entry gone back to is in view", async () => {
  const { reader, list, address, pass } = startReading({ list: { isSlow: true } });
  reader.goToSeq(900);
  address({ entry: 3 });
  list.waiting[0]?.resolve(null);
  pass(100);
  await answered();
  assert.deepEqual(list.news(), []);
});

test("an entry marked twice is written twice and expected once", () => {
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

test("a mark equal to the address does not hide the next change", () => {
  const { reader, list, address } = startReading({ entry: 500 });
  reader.mark(500);
  address({ entry: 3 });
  list.news();
  address({ entry: 500 });
  assert.deepEqual(list.news(), ["499 center", "focus none"]);
});

test("of marks that can wait only the last is written, once the step is shown", () => {
  const { reader, written, pass } = startReading();
  reader.mark(10, "soon");
  reader.mark(20, "soon");
  pass(299);
  assert.deepEqual(written, []);
  pass(300);
  assert.deepEqual(written, [{ entry: "20", how: "replace" }]);
});

test("a mark that cannot wait replaces one that can", () => {
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

test("a mark that can wait is not written to another entry of the history", () => {
  const back = startReading({ entry: 10 });
  back.reader.mark(500, "soon");
  back.address({ entry: 3 });
  back.pass(300);
  assert.deepEqual(back.written, []);

  const pushed = startReading({ entry: 10 });
  pushed.reader.mark(500, "soon");
  pushed.reader.showTab("changes");
  pushed.pass(300);
  assert.deepEqual(pushed.written, [{ tab: "changes", entry: null, how: "push" }]);
});

test("a dialog that closes after the reader has moved on does not take them back", () => {
  const { reader } = startReading({ list: { isSlow: true } });
  const journey = reader.goToSeq(500);
  assert.ok(reader.isLast(journey));
  reader.step(1);
  assert.ok(!reader.isLast(journey));
  for (const go of [() => reader.showAround(3), () => reader.toEnd(), () => reader.toEdge("first")]) {
    const next = reader.goToSeq(500);
    go();
    assert.ok(!reader.isLast(next));
  }
});

test("a dialog that closes once the step is shown may focus it", async () => {
  const { reader, list } = startReading({ list: { isSlow: true } });
  const journey = reader.goToSeq(500);
  list.waiting[0]?.resolve(null);
  await answered();
  assert.ok(reader.isLast(journey));
});

test("opening a step from another tab pushes one address and makes one jump, and no second one when the address follows", async () => {
  const { reader, list, written, address } = startReading({ list: { isSlow: true } });
  reader.open(500);
  assert.deepEqual(written, [{ tab: "trace", entry: "500", how: "push" }]);
  address({ entry: 500 });
  list.waiting[0]?.resolve(null);
  await answered();
  assert.deepEqual(list.news(), ["499 start", "focus none"]);
});

test("a list with another filter decides where it opens: its first address moves nothing", () => {
  const { list, address, show } = startReading({ entry: 5 });
  const next = startReading().list;
  show(next);
  address({ entry: 500, filterKey: "errors=1" });
  assert.deepEqual([list.news(), next.news()], [[], []]);
  address({ entry: 700, filterKey: "errors=1" });
  assert.deepEqual(next.news(), ["699 center", "focus none"]);
});

test("a filter changed in mid-jump ends the jump", async () => {
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

test("the notice of an entry hidden by the filter is for that filter only, until it is dismissed", () => {
  const { reader, list } = startReading({ filterKey: "errors=1", list: { seqs: [3, 9] } });
  reader.goToSeq(5);
  assert.deepEqual(reader.snapshot.hidden, { seq: 5, filterKey: "errors=1" });
  assert.deepEqual(list.news(), []);
  reader.setHidden(null);
  assert.equal(reader.snapshot.hidden, null);
});

test("an entry in the address that the filter hides has a notice", () => {
  const { reader, address } = startReading({ filterKey: "errors=1", list: { seqs: [3, 9] } });
  address({ entry: 5, filterKey: "errors=1" });
  assert.equal(reader.snapshot.hidden?.seq, 5);
});

test("the notice of an entry hidden by a filter chosen just now is for that filter", () => {
  const { reader, address } = startReading();
  address({ entry: 5, filterKey: "errors=1" });
  reader.setHidden(5);
  assert.equal(reader.snapshot.hidden?.filterKey, "errors=1");
});

test("the snapshot is the same object until something changes, and each change notifies once", () => {
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

test("the marked entry is the one in the address, as soon as the address has it", () => {
  const { reader, address } = startReading({ entry: 5 });
  assert.equal(reader.snapshot.marked, 5);
  reader.mark(500);
  assert.equal(reader.snapshot.marked, 5);
  address({ entry: 500 });
  assert.equal(reader.snapshot.marked, 500);
  address({ entry: null });
  assert.equal(reader.snapshot.marked, null);
});

test("the entry found for a link by something else replaces it in the address, with one jump", () => {
  const { reader, list, written, address } = startReading();
  reader.resolveLink(500);
  assert.deepEqual(written, [{ toolCallId: null, entry: "500", how: "replace" }]);
  assert.deepEqual([list.news(), [...reader.snapshot.folding.revealed]], [["499 center", "focus none"], [500]]);
  address({ entry: 500 });
  assert.deepEqual(list.news(), []);
});

test("a link that leads nowhere is removed from the address, and nothing moves", () => {
  const { reader, list, written } = startReading({ entry: 5 });
  reader.resolveLink(null);
  assert.deepEqual([written, list.news()], [[{ toolCallId: null, how: "replace" }], []]);
});
