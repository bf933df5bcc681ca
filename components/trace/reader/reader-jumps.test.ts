import assert from "node:assert/strict";
import { test } from "node:test";
import { answered, range, startReading } from "./reading.fixture.ts";

test("a loaded entry is shown at once, at the top of the view", () => {
  const { reader, list } = startReading();
  reader.goToSeq(500);
  assert.deepEqual(list.news(), ["499 start", "focus none"]);
  assert.deepEqual(reader.visible, { first: 500, last: 504 });
});

test("a jump to a place inside a card aligns that place", () => {
  const { reader, list } = startReading();
  reader.goToSeq(500, { align: "center", within: 120 });
  assert.deepEqual(list.news(), ["499 center 120px", "focus none"]);
});

test("a jump waits for its entry, and renders it in the same task that brings it", async () => {
  const { reader, list, drawn } = startReading({ list: { isSlow: true } });
  reader.goToSeq(500);
  assert.deepEqual([list.news(), list.prepared], [[], [499]]);
  list.waiting[0]?.resolve(null);
  await answered();
  assert.deepEqual(list.news(), ["499 start", "focus none"]);
  assert.deepEqual(drawn, [true]);
});

test("a jump waits at most 100 ms", () => {
  const { reader, list, pass } = startReading({ list: { isSlow: true } });
  reader.goToSeq(500);
  pass(99);
  assert.deepEqual(list.news(), []);
  pass(100);
  assert.deepEqual(list.news(), ["499 start", "focus none"]);
});

test("an entry that arrives after the wait moves nothing again", async () => {
  const { reader, list, pass } = startReading({ list: { isSlow: true } });
  reader.goToSeq(500);
  pass(100);
  list.news();
  list.waiting[0]?.resolve(null);
  await answered();
  assert.deepEqual(list.news(), []);
});

test("a jump to an entry that cannot be loaded is made all the same: the list shows the error", async () => {
  const { reader, list } = startReading({ list: { isSlow: true } });
  reader.goToSeq(500);
  list.waiting[0]?.reject(new Error("unreachable"));
  await answered();
  assert.deepEqual(list.news(), ["499 start", "focus none"]);
});

test("no timer is left once the reader has arrived", async () => {
  const { reader, list, timers } = startReading({ list: { isSlow: true } });
  reader.goToSeq(500);
  list.waiting[0]?.resolve(null);
  await answered();
  assert.equal(timers.length, 0);
});

test("of two jumps in a row only the second is made, whichever is ready first", async () => {
  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    const { reader, list } = startReading({ list: { isSlow: true } });
    reader.goToSeq(100);
    reader.goToSeq(900);
    for (const place of order) {
      list.waiting[place]?.resolve(null);
      await answered();
    }
    assert.deepEqual(list.news(), ["899 start", "focus none"]);
  }
});

test("a jump to a loaded entry ends one that is still waiting", async () => {
  const { reader, list, pass } = startReading({ list: { isSlow: true } });
  reader.goToSeq(100);
  list.shown.isSlow = false;
  reader.goToSeq(900);
  list.waiting[0]?.resolve(null);
  pass(100);
  await answered();
  assert.deepEqual(list.news(), ["899 start", "focus none"]);
});

test("the arrival callback is called once: on arrival", async () => {
  const { reader, list, pass } = startReading({ list: { isSlow: true } });
  let told = 0;
  reader.goToSeq(500, { onThere: () => (told += 1) });
  assert.equal(told, 0);
  list.waiting[0]?.resolve(null);
  await answered();
  pass(100);
  reader.step(1);
  assert.equal(told, 1);
});

test("the arrival callback is called once: when the reader goes elsewhere", async () => {
  const { reader, list } = startReading({ list: { isSlow: true } });
  let told = 0;
  reader.goToSeq(500, { onThere: () => (told += 1) });
  reader.step(1);
  assert.equal(told, 1);
  list.waiting[0]?.resolve(null);
  await answered();
  assert.equal(told, 1);
});

test("the arrival callback is called once: when the entry is hidden or there is no list", () => {
  let told = 0;
  const { reader } = startReading({ filterKey: "errors=1", list: { seqs: [3, 9] } });
  reader.goToSeq(5, { onThere: () => (told += 1) });
  assert.equal(told, 1);
  const none = startReading({ list: null });
  none.reader.goToSeq(5, { onThere: () => (told += 1) });
  assert.equal(told, 2);
});

test("if the server cannot find an entry's place, the callback is called and nothing moves", async () => {
  const { reader, list } = startReading({ list: { isServerAsked: true } });
  let told = 0;
  reader.goToSeq(5, { onThere: () => (told += 1) });
  list.lookups[0]?.reject(new Error("unreachable"));
  await answered();
  assert.deepEqual([told, list.news()], [1, []]);
});

test("of two entries looked up on the server the reader goes to the second, whichever answer comes first", async () => {
  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    const { reader, list } = startReading({ list: { seqs: range(1, 50), isServerAsked: true } });
    reader.goToSeq(10);
    reader.goToSeq(40);
    for (const place of order) {
      const lookup = list.lookups[place];
      lookup?.resolve(list.placeOf(lookup.seq));
      await answered();
    }
    assert.deepEqual(list.news(), ["39 start", "focus none"]);
  }
});

test("a jump to the end goes to the end at its arrival, with what came while it waited", () => {
  const { reader, list, pass } = startReading({ list: { isSlow: true } });
  reader.toEdge("last");
  list.grow(50);
  pass(100);
  assert.deepEqual(list.news(), ["end", "focus 999"]);
  assert.deepEqual(reader.visible, { first: 1046, last: 1050 });
});

test("growth during a jump does not change its target", () => {
  const { reader, list, pass } = startReading({ list: { isSlow: true } });
  reader.toEnd();
  list.news();
  reader.goToSeq(1000);
  list.grow(500);
  pass(100);
  assert.deepEqual(list.news(), ["999 start", "focus none"]);
  assert.equal(reader.visible.first, 1000);
});

test("an entry not logged yet is not in the list, and is once it has come", () => {
  const { reader, list } = startReading();
  reader.goToSeq(1005);
  assert.deepEqual([list.news(), reader.snapshot.hidden?.seq], [[], 1005]);
  list.grow(10);
  reader.goToSeq(1005);
  assert.deepEqual(list.news(), ["1004 start", "focus none"]);
});

test("going to the end is not undone by an earlier jump", async () => {
  const { reader, list, pass } = startReading({ list: { isSlow: true } });
  reader.goToSeq(100);
  reader.toEnd();
  list.waiting[0]?.resolve(null);
  pass(100);
  await answered();
  assert.deepEqual(list.news(), ["end"]);
});

test("a jump requested in a list that is gone is not made in the next one", async () => {
  const { reader, list, pass, show } = startReading({ list: { isSlow: true } });
  let told = 0;
  reader.goToSeq(500, { onThere: () => (told += 1) });
  const next = startReading().list;
  show(next);
  list.waiting[0]?.resolve(null);
  pass(100);
  await answered();
  assert.deepEqual([list.news(), next.news(), told], [[], [], 1]);
  assert.deepEqual([...reader.snapshot.folding.revealed], []);
});

test("a lookup of an entry's place is dropped when the list changes", async () => {
  const { reader, list, show } = startReading({ list: { isServerAsked: true } });
  reader.goToSeq(500);
  const next = startReading().list;
  show(next);
  list.lookups[0]?.resolve({ index: 7, isShown: true });
  await answered();
  assert.deepEqual([list.news(), next.news()], [[], []]);
});

test("a list removed after the next one was set does not remove that one", () => {
  const { reader, remove, show } = startReading();
  const next = startReading().list;
  show(next);
  remove();
  reader.goToSeq(7);
  assert.deepEqual(next.news(), ["6 start", "focus none"]);
});

test("passing an entry shows its surroundings and opens no group", () => {
  const { reader, list } = startReading({ list: { folded: [[40, 50]] } });
  reader.showAround(46, "center");
  assert.deepEqual(list.news(), ["40 center"]);
  assert.equal(reader.snapshot.folding.revealed.size, 0);
});

test("passing on from the line of a folded group leaves the group", () => {
  const { reader, list } = startReading({ list: { folded: [[40, 50]] } });
  reader.showAround(41);
  list.news();
  reader.showAround(42);
  assert.deepEqual(list.news(), ["51 start"]);
});

test("passing an entry that the list does not show goes to its place, without a notice", () => {
  const { reader, list } = startReading({ filterKey: "errors=1", list: { seqs: [3, 9, 20] } });
  reader.showAround(5, "center");
  assert.deepEqual([list.news(), reader.snapshot.hidden], [["1 center"], null]);
});

test("a drag over the map goes only to its last place, whatever the server answers first", async () => {
  const { reader, list } = startReading({ list: { seqs: range(1, 90), isServerAsked: true } });
  for (const seq of [10, 20, 30]) reader.showAround(seq, "center");
  for (const place of [2, 0, 1]) {
    const lookup = list.lookups[place];
    lookup?.resolve(list.placeOf(lookup.seq));
    await answered();
  }
  assert.deepEqual(list.news(), ["29 center"]);
});

test("a press on the map ends a jump under way", async () => {
  const { reader, list } = startReading({ list: { isSlow: true } });
  reader.goToSeq(500);
  list.shown.isSlow = false;
  reader.showAround(10);
  list.waiting[0]?.resolve(null);
  await answered();
  assert.deepEqual(list.news(), ["9 start"]);
});

test("the target of a jump is focused only if requested, and an earlier target no longer", () => {
  const { reader, list } = startReading();
  reader.goToSeq(5, { takeFocus: true });
  reader.goToSeq(9);
  assert.deepEqual(list.news(), ["4 start", "focus 4", "8 start", "focus none"]);
});
