import assert from "node:assert/strict";
import { test } from "node:test";
import { elapsedMsOf, runTimeOf } from "./run-time.ts";

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, second)).toISOString();
const none = { started_at: null, finished_at: null, work_ms: null, turn_started_at: null };

test("a run's time is that of its turns, without the time between them", () => {
  const ended = { ...none, started_at: at(0), finished_at: at(1418), work_ms: 13_000 };
  assert.deepEqual([runTimeOf(ended), elapsedMsOf(ended)], [{ doneMs: 13_000, since: null }, 1_418_000]);
  const again = { ...ended, finished_at: null, turn_started_at: at(1417) };
  assert.deepEqual([runTimeOf(again), elapsedMsOf(again)], [{ doneMs: 13_000, since: Date.parse(at(1417)) }, null]);
  const queued = { ...ended, finished_at: null };
  assert.deepEqual(runTimeOf(queued), { doneMs: 13_000, since: null });
  assert.equal(elapsedMsOf({ ...ended, work_ms: 1_417_500 }), null, "a run of one turn");
});

test("without times of turns it is the time from start to end; before the start it is null", () => {
  assert.deepEqual(runTimeOf({ ...none, started_at: at(0), finished_at: at(9) }), { doneMs: 9000, since: null });
  assert.deepEqual(runTimeOf({ ...none, started_at: at(4) }), { doneMs: 0, since: Date.parse(at(4)) });
  assert.deepEqual([runTimeOf(none), elapsedMsOf(none)], [null, null]);
});
