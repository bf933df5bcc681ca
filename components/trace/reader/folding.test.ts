import assert from "node:assert/strict";
import { test } from "node:test";
import { allFolded, chooseGroup, isGroupOpen, revealSeq } from "./reader-state.ts";

const [one, other] = [
  { first: 3, last: 6 },
  { first: 9, last: 12 },
];

test("a group is as the reader chose, all others are as by default", () => {
  const folding = chooseGroup(allFolded, one, true);
  assert.deepEqual([isGroupOpen(folding, one), isGroupOpen(folding, other)], [true, false]);
  const open = chooseGroup({ ...allFolded, areOpen: true }, one, false);
  assert.deepEqual([isGroupOpen(open, one), isGroupOpen(open, other)], [false, true]);
});

test("going to an entry opens its group, even one the reader folded, until the reader folds it again", () => {
  const folded = chooseGroup(allFolded, one, false);
  const led = revealSeq(folded, 6);
  assert.deepEqual([isGroupOpen(led, one), isGroupOpen(led, other)], [true, false]);
  assert.equal(revealSeq(led, 6), led);
  const both = revealSeq(led, 10);
  const again = chooseGroup(both, one, false);
  assert.deepEqual([isGroupOpen(again, one), isGroupOpen(again, other)], [false, true]);
});

test("a group's first and last entries open it, the entries next to it do not", () => {
  const opens = (seq: number) => isGroupOpen(revealSeq(allFolded, seq), one);
  assert.deepEqual([3, 4, 7, 8].map(opens), [false, true, true, false]);
  assert.deepEqual([...chooseGroup({ ...allFolded, revealed: new Set([3, 4, 7, 8]) }, one, false).revealed], [3, 8]);
});
