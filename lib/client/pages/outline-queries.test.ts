import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Outline } from "#lib/contract/logs/outline.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { findError, nearestError, outlineQuery } from "./outline-queries.ts";
import { makeQueryClient } from "./query-client.ts";
import { traceRunQuery } from "./run-queries.ts";

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

test("the nearest error is read from the outline whenever that is precise enough, and never guessed", () => {
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

test("errors in entries newer than the outline are unknown", () => {
  const outline = outlineOf(20, [5]);
  assert.equal(nearestError(outline, 25, 5, "next"), undefined);
  assert.equal(nearestError(outline, 25, 1, "next"), 5);
  assert.equal(nearestError(outline, 25, 24, "previous"), undefined);
  assert.equal(nearestError(outline, 25, 21, "previous"), 5);
});

/** A page that shows 20 entries without an error after the fifth, of a run that has an error at entry 21 on the server. */
function openPage(t: TestContext, status: Run["status"]) {
  const source = { kind: "run", orgId: 1, runId: 7 } as const;
  const client = makeQueryClient();
  t.after(() => client.clear());
  client.setQueryData(outlineQuery(source).queryKey, outlineOf(20, [5]));
  // The cast stands for the rest of a run, which is not used.
  client.setQueryData(traceRunQuery(source).queryKey, { status, total_logs: 20 } as Run);
  const asked: string[] = [];
  const part = { from_seq: 21, to_seq: 21, first_error_seq: 21, last_error_seq: 21 };
  t.mock.method(globalThis, "fetch", async (path: string) => {
    asked.push(path);
    return Response.json({ total_logs: 21, buckets: path.includes("from_seq=21") ? [part] : [] });
  });
  return { asked, find: (seq: number) => findError(client, { source, totalLogs: 20 }, seq, "next") };
}

test("in a live run, an error newer than the page is found, and a held key asks once", async (t) => {
  const { asked, find } = openPage(t, "running");
  assert.equal(await find(20), 21);
  assert.deepEqual(await Promise.all([find(20), find(20), find(20)]), [21, 21, 21]);
  assert.equal(asked.length, 1);
  assert.equal(await find(1), 5, "what the outline tells is not asked for");
  assert.equal(await find(21), null);
  assert.equal(asked.length, 2);
});

test("a run that has ended has no errors after its last entry, and no request is made", async (t) => {
  const { asked, find } = openPage(t, "completed");
  assert.equal(await find(20), null);
  assert.equal(await find(6), null);
  assert.deepEqual(asked, []);
});
