import assert from "node:assert/strict";
import { test } from "node:test";
import { answered, range, startReading } from "./reading.fixture.ts";

test("an entry that is at hand is shown at once, at the top of the view", () => {
  const { reader, list } = startReading();
  reader.goToSeq(500);
  assert.deepEqual(list.news(), ["499 start", "focus none"]);
  assert.deepEqual(reader.visible, { first: 500, last: 504 });
});

test("a place inside of a card is aligned where one is given", () => {
  const { reader, list } = startReading();
  reader.goToSeq(500, { align: "center", within: 120 });
  assert.deepEqual(list.news(), ["499 center 120px", "focus none"]);
});

test("an entry on its way is waited for, and rendered in the turn that brings it", async () => {
  const { reader, list, drawn } = startReading({ list: { isSlow: true } });
  reader.goToSeq(500);
  assert.deepEqual([list.news(), list.prepared], [[], [499]]);
  list.waiting[0]?.resolve(null);
  await answered();
  assert.deepEqual(list.news(), ["499 start", "focus none"]);
  assert.deepEqual(drawn, [true]);
});

test("what comes later than 100 ms is not waited for", () => {
  const { reader, list, pass } = startReading({ list: { isSlow: true } });
  reader.goToSeq(500);
  pass(99);
  assert.deepEqual(list.news(), []);
  pass(100);
  assert.deepEqual(list.news(), ["499 start", "focus none"]);
});

test("an entry that comes after it was waited for moves nothing again", async () => {
  const { reader, list, pass } = startReading({ list: { isSlow: true } });
  reader.goToSeq(500);
  pass(100);
  list.news();
  list.waiting[0]?.resolve(null);
  await answered();
  assert.deepEqual(list.news(), []);
});

test("an entry that cannot be read is gone to all the same: the list tells what is wrong", async () => {
  const { reader, list } = startReading({ list: { isSlow: true } });
  reader.goToSeq(500);
  list.waiting[0]?.reject(new Error("unreachable"));
  await answered();
  assert.deepEqual(list.news(), ["499 start", "focus none"]);
});

test("no clock goes on once the reader is there", async () => {
  const { reader, list, timers } = startReading({ list: { isSlow: true } });
  reader.goToSeq(500);
  list.waiting[0]?.resolve(null);
  await answered();
  assert.equal(timers.length, 0);
});

test("of two jumps that follow each other only the second is made, whichever is ready first", async () => {
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

test("a jump that is at hand ends one that still waits", async () => {
  const { reader, list, pass } = startReading({ list: { isSlow: true } });
  reader.goToSeq(100);
  list.shown.isSlow = false;
  reader.goToSeq(900);
  list.waiting[0]?.resolve(null);
  pass(100);
  await answered();
  assert.deepEqual(list.news(), ["899 start", "focus none"]);
});

test("who is told when the reader is there is told once: on arrival", async () => {
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

test("who is told when the reader is there is told once: when they go elsewhere", async () => {
  const { reader, list } = startReading({ list: { isSlow: true } });
  let told = 0;
  reader.goToSeq(500, { onThere: () => (told += 1) });
  reader.step(1);
  assert.equal(told, 1);
  list.waiting[0]?.resolve(null);
  await answered();
  assert.equal(told, 1);
});

test("who is told when the reader is there is told once: where the entry is hidden, or no list is there", () => {
  let told = 0;
  const { reader } = startReading({ filterKey: "errors=1", list: { seqs: [3, 9] } });
  reader.goToSeq(5, { onThere: () => (told += 1) });
  assert.equal(told, 1);
  const none = startReading({ list: null });
  none.reader.goToSeq(5, { onThere: () => (told += 1) });
  assert.equal(told, 2);
});

test("where the server cannot say where an entry stands, whoever waits is told, and nothing moves", async () => {
  const { reader, list } = startReading({ list: { isServerAsked: true } });
  let told = 0;
  reader.goToSeq(5, { onThere: () => (told += 1) });
  list.lookups[0]?.reject(new Error("unreachable"));
  await answered();
  assert.deepEqual([told, list.news()], [1, []]);
});

test("of two entries that the server is asked for the second is gone to, whichever is answered first", async () => {
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

test("the end that a jump goes to is that of its arrival: what came while it waited belongs to it", () => {
  const { reader, list, pass } = startReading({ list: { isSlow: true } });
  reader.toEdge("last");
  list.grow(50);
  pass(100);
  assert.deepEqual(list.news(), ["end", "focus 999"]);
  assert.deepEqual(reader.visible, { first: 1046, last: 1050 });
});

test("growth while a jump is on its way does not change where it leads", () => {
  const { reader, list, pass } = startReading({ list: { isSlow: true } });
  reader.toEnd();
  list.news();
  reader.goToSeq(1000);
  list.grow(500);
  pass(100);
  assert.deepEqual(list.news(), ["999 start", "focus none"]);
  assert.equal(reader.visible.first, 1000);
});

test("an entry that is not logged yet is none of the list's, and is once it has come", () => {
  const { reader, list } = startReading();
  reader.goToSeq(1005);
  assert.deepEqual([list.news(), reader.snapshot.hidden?.seq], [[], 1005]);
  list.grow(10);
  reader.goToSeq(1005);
  assert.deepEqual(list.news(), ["1004 start", "focus none"]);
});

test("who goes to the end is not led back by a jump that was on its way", async () => {
  const { reader, list, pass } = startReading({ list: { isSlow: true } });
  reader.goToSeq(100);
  reader.toEnd();
  list.waiting[0]?.resolve(null);
  pass(100);
  await answered();
  assert.deepEqual(list.news(), ["end"]);
});

test("a jump that is asked for in a list that is gone by then is not made in the next one", async () => {
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

test("an answer on where an entry stands is of no use in another list", async () => {
  const { reader, list, show } = startReading({ list: { isServerAsked: true } });
  reader.goToSeq(500);
  const next = startReading().list;
  show(next);
  list.lookups[0]?.resolve({ index: 7, isShown: true });
  await answered();
  assert.deepEqual([list.news(), next.news()], [[], []]);
});

test("a list that goes after the next one has come does not take it along", () => {
  const { reader, remove, show } = startReading();
  const next = startReading().list;
  show(next);
  remove();
  reader.goToSeq(7);
  assert.deepEqual(next.news(), ["6 start", "focus none"]);
});

test("who passes by an entry sees its surroundings, and no group opens", () => {
  const { reader, list } = startReading({ list: { folded: [[40, 50]] } });
  reader.pass(46, "center");
  assert.deepEqual(list.news(), ["40 center"]);
  assert.equal(reader.snapshot.folding.revealed.size, 0);
});

test("who passes on from the line of a folded group leaves it", () => {
  const { reader, list } = startReading({ list: { folded: [[40, 50]] } });
  reader.pass(41);
  list.news();
  reader.pass(42);
  assert.deepEqual(list.news(), ["51 start"]);
});

test("an entry that the list does not show is passed at its place, without a word", () => {
  const { reader, list } = startReading({ filterKey: "errors=1", list: { seqs: [3, 9, 20] } });
  reader.pass(5, "center");
  assert.deepEqual([list.news(), reader.snapshot.hidden], [["1 center"], null]);
});

test("of a drag over the map only the last place is gone to, whatever the server says first", async () => {
  const { reader, list } = startReading({ list: { seqs: range(1, 90), isServerAsked: true } });
  for (const seq of [10, 20, 30]) reader.pass(seq, "center");
  for (const place of [2, 0, 1]) {
    const lookup = list.lookups[place];
    lookup?.resolve(list.placeOf(lookup.seq));
    await answered();
  }
  assert.deepEqual(list.news(), ["29 center"]);
});

test("a press on the map ends a jump that is on its way", async () => {
  const { reader, list } = startReading({ list: { isSlow: true } });
  reader.goToSeq(500);
  list.shown.isSlow = false;
  reader.pass(10);
  list.waiting[0]?.resolve(null);
  await answered();
  assert.deepEqual(list.news(), ["9 start"]);
});

test("the card that a jump leads to has the keyboard only where that was asked for, and nobody who was to have it before", () => {
  const { reader, list } = startReading();
  reader.goToSeq(5, { takeFocus: true });
  reader.goToSeq(9);
  assert.deepEqual(list.news(), ["4 start", "focus 4", "8 start", "focus none"]);
});
