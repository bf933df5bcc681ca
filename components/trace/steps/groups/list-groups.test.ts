import assert from "node:assert/strict";
import { test } from "node:test";
import { allFolded, chooseGroup, type Folding, revealSeq } from "#components/trace/reader/reader-state.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { ListGroups, settledAfter } from "./entry-groups.ts";

const entry = (place: number, tool: string): LogEntry => ({
  agent_run_id: 1,
  seq: place + 1,
  created_at: "2026-01-01T00:00:00.000Z",
  message_type: "ACTION",
  thought: null,
  tool_name: tool,
  tool_input: tool === "Read" ? { file_path: `${place}.ts` } : { command: "ls" },
  tool_output: { status: "completed" },
  observation: null,
});

/** A hundred entries; those at these places only looked at something. */
function groupsOf(looks: readonly number[], { settled = 100, folding = allFolded, missing = [] as number[] } = {}) {
  const entryAt = (place: number) =>
    missing.includes(place) ? null : entry(place, looks.includes(place) ? "Read" : "Bash");
  return new ListGroups({ entryAt, settled, folding });
}

const bounds = (groups: ListGroups, place: number) => {
  const found = groups.at(place);
  return found && [found.group.first, found.group.last, found.isOpen];
};

test("a group ends at the edge of a window: loading the next window changes nothing in it", () => {
  const groups = groupsOf([22, 23, 24, 25, 26, 27]);
  assert.deepEqual(bounds(groups, 24), [22, 24, false]);
  assert.deepEqual(bounds(groups, 25), [25, 27, false]);
});

test("stepping skips the members of a folded group and stops at its line", () => {
  const groups = groupsOf([3, 4, 5]);
  assert.deepEqual(
    [2, 3, 4, 5, 6].map((place) => groups.shownFrom(place, 1)),
    [2, 3, 6, 6, 6],
  );
  assert.deepEqual(
    [6, 5, 4, 3, 2].map((place) => groups.shownFrom(place, -1)),
    [6, 3, 3, 3, 2],
  );
});

test("stepping stops at each member of an open group", () => {
  const folding: Folding = chooseGroup(allFolded, groupsOf([3, 4, 5]).at(3)?.group ?? assert.fail(), true);
  const groups = groupsOf([3, 4, 5], { folding });
  assert.deepEqual(bounds(groups, 4), [3, 5, true]);
  assert.equal(groups.shownFrom(4, 1), 4);
});

test("an entry navigated to before its group is known has the group open once it is", () => {
  const folding = revealSeq(allFolded, 5);
  assert.equal(groupsOf([3, 4, 5], { folding, missing: [3, 4, 5] }).at(4), null);
  assert.deepEqual(bounds(groupsOf([3, 4, 5], { folding }), 4), [3, 5, true]);
});

test("live entries in view are in no group", () => {
  assert.equal(groupsOf([3, 4, 5], { settled: 3 }).at(4), null);
  assert.deepEqual(bounds(groupsOf([3, 4, 5], { settled: 5 }), 4), [3, 4, false]);
});

test("live entries join groups when the reader has gone above their window, all of them at once", () => {
  let settled = 60;
  settled = settledAfter(settled, { first: 55, last: 70 }, 80);
  assert.equal(settled, 60);
  settled = settledAfter(settled, { first: 20, last: 49 }, 90);
  assert.equal(settled, 90);
});

test("live entries join groups up to the window that the reader has moved on to", () => {
  assert.equal(settledAfter(60, { first: 70, last: 90 }, 120), 60);
  assert.equal(settledAfter(60, { first: 80, last: 99 }, 120), 75);
  assert.equal(settledAfter(60, { first: 110, last: 119 }, 120), 100);
});

test("entries that have joined a group do not leave it", () => {
  assert.equal(settledAfter(90, { first: 0, last: 10 }, 90), 90);
  assert.equal(settledAfter(90, { first: 80, last: 95 }, 100), 90);
});
