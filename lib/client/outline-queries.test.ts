import assert from "node:assert/strict";
import { test } from "node:test";
import type { Outline } from "#lib/contract/outline.ts";
import { nearestError } from "./outline-queries.ts";

/** Parts of ten entries, with these errors. */
function outlineOf(totalLogs: number, errors: number[]): Outline {
  const at = "2026-01-31T12:00:00.000Z";
  return {
    total_logs: totalLogs,
    buckets: Array.from({ length: totalLogs / 10 }, (_, index) => {
      const [from_seq, to_seq] = [index * 10 + 1, index * 10 + 10];
      const within = errors.filter((seq) => seq >= from_seq && seq <= to_seq);
      return {
        from_seq,
        to_seq,
        counts: { ACTION: 10 },
        errors: within.length,
        first_error_seq: within[0] ?? null,
        last_error_seq: within.at(-1) ?? null,
        first_at: at,
        last_at: at,
      };
    }),
  };
}

test("the nearest error is read off the outline wherever it can tell, and never guessed", () => {
  const errors = [1, 15, 17, 19, 20, 44, 60];
  const outline = outlineOf(60, errors);
  let unknown = 0;
  for (let seq = 1; seq <= 60; seq += 1) {
    const next = nearestError(outline, 60, seq, "next");
    const previous = nearestError(outline, 60, seq, "previous");
    unknown += Number(next === undefined) + Number(previous === undefined);
    if (next !== undefined) assert.equal(next, errors.find((error) => error > seq) ?? null, `after ${seq}`);
    if (previous !== undefined) {
      assert.equal(previous, errors.findLast((error) => error < seq) ?? null, `before ${seq}`);
    }
  }
  assert.ok(unknown > 0 && unknown < 20);
});

test("errors in entries that came after the outline was read are unknown", () => {
  const outline = outlineOf(20, [5]);
  assert.equal(nearestError(outline, 25, 5, "next"), undefined);
  assert.equal(nearestError(outline, 25, 1, "next"), 5);
  assert.equal(nearestError(outline, 25, 24, "previous"), undefined);
  assert.equal(nearestError(outline, 25, 21, "previous"), 5);
});
