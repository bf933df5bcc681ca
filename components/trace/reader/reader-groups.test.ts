import assert from "node:assert/strict";
import { test } from "node:test";
import { type GroupPlaces, isGroupOpen } from "./reader-state.ts";
import { answered, startReading } from "./reading.fixture.ts";

test("a step opened from another tab has its group open when the steps are first shown", () => {
  const { reader, address } = startReading({ list: null });
  reader.open(500);
  address({ entry: 500 });
  assert.deepEqual([...reader.snapshot.folding.revealed], [500]);
});

test("a link with another filter opens the group of its entry", () => {
  const { reader, address } = startReading({ filterKey: "errors=1", list: null });
  address({ entry: 500, filterKey: "" });
  assert.deepEqual([...reader.snapshot.folding.revealed], [500]);
});

test("going to an entry opens its group, in whichever list", () => {
  const { reader } = startReading({ filterKey: "errors=1", list: { seqs: [3, 9, 700] } });
  reader.goToSeq(700);
  assert.deepEqual([...reader.snapshot.folding.revealed], [700]);
});

test("a page that opens at an entry has its group open", () => {
  const { reader } = startReading({ entry: 45 });
  assert.ok(isGroupOpen(reader.snapshot.folding, groupOf(40, 50)));
  assert.ok(!isGroupOpen(reader.snapshot.folding, groupOf(60, 70)));
});

test("the group opens on arrival, not before: what is in view until then does not move", async () => {
  const { reader, list } = startReading({ list: { isSlow: true } });
  reader.goToSeq(45);
  assert.equal(reader.snapshot.folding.revealed.size, 0);
  list.waiting[0]?.resolve(null);
  await answered();
  assert.deepEqual([...reader.snapshot.folding.revealed], [45]);
});

test("a group that the reader folds stays folded until the next navigation into it", () => {
  const { reader } = startReading({ entry: 45 });
  const group = groupOf(40, 50);
  reader.toggle(group);
  assert.ok(!isGroupOpen(reader.snapshot.folding, group));
  reader.toggle(group);
  assert.ok(isGroupOpen(reader.snapshot.folding, group));
  reader.toggle(group);
  reader.goToSeq(46);
  assert.ok(isGroupOpen(reader.snapshot.folding, group));
});

test("all groups open and fold together, whatever the reader chose before", () => {
  const { reader } = startReading({ entry: 45 });
  const [one, other] = [groupOf(40, 50), groupOf(60, 70)];
  reader.toggleAll();
  assert.deepEqual(
    [one, other].map((group) => isGroupOpen(reader.snapshot.folding, group)),
    [true, true],
  );
  reader.toggle(other);
  reader.toggleAll();
  assert.deepEqual(
    [one, other].map((group) => isGroupOpen(reader.snapshot.folding, group)),
    [false, false],
  );
});

test("a link resolved before there is a list opens the group of its entry, and the list opens there", () => {
  const { reader, address } = startReading({ list: null });
  reader.resolveLink(500);
  address({ entry: 500 });
  assert.deepEqual([[...reader.snapshot.folding.revealed], reader.snapshot.marked], [[500], 500]);
});

/** The group at these places. */
function groupOf(first: number, last: number): GroupPlaces {
  return { first, last };
}
