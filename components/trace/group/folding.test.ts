import assert from "node:assert/strict";
import { test } from "node:test";
import type { EntryGroup } from "./entry-groups.ts";
import { allFolded, chooseGroup, isGroupOpen, revealPlace } from "./folding.ts";

const group = (first: number, last: number): EntryGroup => ({
  first,
  last,
  title: "",
  names: [],
  more: 0,
  failures: 0,
});
const [one, other] = [group(3, 6), group(9, 12)];

test("a group is as it was chosen, others are as all are", () => {
  const folding = chooseGroup(allFolded, one, true);
  assert.deepEqual([isGroupOpen(folding, one), isGroupOpen(folding, other)], [true, false]);
  const open = chooseGroup({ ...allFolded, areOpen: true }, one, false);
  assert.deepEqual([isGroupOpen(open, one), isGroupOpen(open, other)], [false, true]);
});

test("a place that is led to opens its group, also one that was folded, until the reader folds it again", () => {
  const folded = chooseGroup(allFolded, one, false);
  const led = revealPlace(folded, 5);
  assert.deepEqual([isGroupOpen(led, one), isGroupOpen(led, other)], [true, false]);
  assert.equal(revealPlace(led, 5), led);
  const both = revealPlace(led, 9);
  const again = chooseGroup(both, one, false);
  assert.deepEqual([isGroupOpen(again, one), isGroupOpen(again, other)], [false, true]);
});
