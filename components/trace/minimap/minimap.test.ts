import assert from "node:assert/strict";
import { test } from "node:test";
import type { OutlineBucket } from "#lib/contract/logs/outline.ts";
import { mapHeightOf, seqAt, viewBoxOf } from "./map-scale.ts";
import { timeGapsOf } from "./time-gaps.ts";

test("every position on the map is an entry, and the box around that entry contains the position", () => {
  for (const totalLogs of [1, 3, 40, 2000, 1_000_000]) {
    const height = mapHeightOf(totalLogs, 700);
    assert.ok(height <= 700 && height <= totalLogs * 12);
    assert.deepEqual([seqAt(-5, totalLogs, height), seqAt(900, totalLogs, height)], [1, totalLogs]);
    for (let y = 0; y < height; y += 0.5) {
      const seq = seqAt(y, totalLogs, height);
      const box = viewBoxOf({ first: seq, last: seq }, totalLogs, height);
      assert.ok(box.top >= 0 && box.top + box.height <= height + 1e-6);
      assert.ok(box.top <= y + 1e-6 && y <= box.top + box.height + 1e-6, `${y} of ${totalLogs}`);
    }
  }
  assert.equal(seqAt(10, 1, 0), 1);
  assert.deepEqual(viewBoxOf({ first: 1, last: 0 }, 0, 0), { top: 0, height: 0 });
});

test("a pause is found between parts and inside one, and an even pace has none", () => {
  const part = (from: number, to: number, minutes: [number, number]): OutlineBucket => ({
    from_seq: from,
    to_seq: to,
    counts: { ACTION: to - from + 1 },
    errors: 0,
    first_error_seq: null,
    last_error_seq: null,
    first_at: new Date(minutes[0] * 60_000).toISOString(),
    last_at: new Date(minutes[1] * 60_000).toISOString(),
  });
  const even = Array.from({ length: 50 }, (_, index) => part(index * 10 + 1, index * 10 + 10, [index, index + 0.9]));
  assert.deepEqual(timeGapsOf(even), []);
  assert.deepEqual(timeGapsOf([]), []);
  const later = even.map((bucket, index) =>
    index < 20 ? bucket : part(bucket.from_seq, bucket.to_seq, [index + 60, index + 60.9]),
  );
  assert.deepEqual(timeGapsOf(later), [200]);
  const inside = later.toSpliced(20, 1, part(201, 210, [20, 80.9]));
  assert.deepEqual(timeGapsOf(inside), [205]);
});
