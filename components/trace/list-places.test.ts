import assert from "node:assert/strict";
import { test } from "node:test";
import type { LogEntry } from "#lib/contract/entry.ts";
import { allPlaces, placeAmong, placeFrom } from "./list-places.ts";

const entry = (seq: number): LogEntry => ({
  agent_run_id: 1,
  seq,
  created_at: "2026-01-01T00:00:00.000Z",
  message_type: "ACTION",
  thought: null,
  tool_name: null,
  tool_input: null,
  tool_output: null,
  observation: null,
});

test("in the list of all entries each place is an entry, and what is not there yet is not shown", () => {
  const places = allPlaces(3);
  assert.deepEqual([-1, 0, 2, 3].map(places.seqAt), [null, 1, 3, null]);
  assert.deepEqual(places.find(3), { index: 2, isShown: true });
  assert.deepEqual(places.find(4), { index: 2, isShown: false });
  assert.deepEqual(allPlaces(0).find(1), { index: 0, isShown: false });
});

test("entries at hand tell where one stands, and what is not shown only between neighbours", () => {
  const entries = new Map([10, 14, 30].map((seq, index) => [50 + index, entry(seq)] as const));
  entries.set(90, entry(500));
  assert.deepEqual(placeAmong(entries, 14), { index: 51, isShown: true });
  assert.deepEqual(placeAmong(entries, 20), { index: 52, isShown: false });
  for (const seq of [5, 31, 499, 501]) assert.equal(placeAmong(entries, seq), null, String(seq));
});

test("the server's answer is the place, or that of the next entry, else of the last", () => {
  assert.deepEqual(placeFrom({ skip: 4, seq: 20, matching_logs: 9 }, 20), { index: 4, isShown: true });
  assert.deepEqual(placeFrom({ skip: 4, seq: 22, matching_logs: 9 }, 20), { index: 4, isShown: false });
  assert.deepEqual(placeFrom({ skip: 9, seq: null, matching_logs: 9 }, 20), { index: 8, isShown: false });
  assert.deepEqual(placeFrom({ skip: 0, seq: null, matching_logs: 0 }, 20), { index: 0, isShown: false });
});
