import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedRunWords } from "./shared-run-words.ts";

test("a shared run is described in one line: agent, outcome, duration, number of steps", () => {
  const run = { agent: "steps", status: "completed", total_logs: 1204, work_ms: null, turn_started_at: null } as const;
  const ended = { ...run, started_at: "2026-08-01T12:00:00.000Z", finished_at: "2026-08-01T12:03:10.000Z" };
  assert.equal(sharedRunWords(ended), "Agent run (steps): completed after 3m 10s, 1,204 steps");
  const queued = { ...run, status: "queued" as const, total_logs: 1, started_at: null, finished_at: null };
  assert.equal(sharedRunWords(queued), "Agent run (steps): queued, 1 step");
});
