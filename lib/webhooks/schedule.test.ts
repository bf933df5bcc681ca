import assert from "node:assert/strict";
import { test } from "node:test";
import { deliveryGapsS, deliveryTriedS } from "#lib/contract/integrations/webhook.ts";
import { nextAttemptAt, retryAfterMsOf } from "./schedule.ts";

const hour = 3_600_000;

/** The attempts of a delivery that always fails, in milliseconds since the first. */
function attempts(random: () => number): number[] {
  const times = [0];
  for (;;) {
    const nowMs = times.at(-1) ?? 0;
    const next = nextAttemptAt({ firstMs: 0, failures: times.length, retryAfterMs: null }, nowMs, random);
    if (next === null) return times;
    times.push(next);
  }
}

test("gaps grow as in Standard Webhooks, and the last attempt is 24 hours after the first", () => {
  const seconds = attempts(() => 0.5).map((ms) => ms / 1000);
  assert.deepEqual(seconds, [0, 5, 305, 2105, 9305, 27_305, 63_305, 86_400]);
});

test("each gap is up to a tenth longer or shorter, never beyond 24 hours", () => {
  for (const chance of [0, 0.25, 0.999]) {
    const times = attempts(() => chance);
    for (const [index, gap] of deliveryGapsS.entries()) {
      const taken = (times[index + 1] ?? 0) - (times[index] ?? 0);
      assert.ok(taken >= gap * 900 && taken <= gap * 1100, `${taken} of ${gap}`);
    }
    assert.equal(times.at(-1), deliveryTriedS * 1000);
  }
  assert.notDeepEqual(
    attempts(() => 0.1),
    attempts(() => 0.9),
  );
});

test("a target that asks for a longer gap gets it, as far as the 24 hours allow", () => {
  const next = (retryAfterMs: number, nowMs = 0) =>
    nextAttemptAt({ firstMs: 0, failures: 1, retryAfterMs }, nowMs, () => 0.5);
  assert.equal(next(1000), 5000);
  assert.equal(next(60_000), 60_000);
  assert.equal(next(48 * hour), 24 * hour);
  assert.equal(next(0, 24 * hour), null);
});

test("Retry-After is read as seconds or as a date; anything else says nothing", () => {
  const nowMs = Date.parse("2026-01-31T12:00:00.000Z");
  const read = (header?: string) => retryAfterMsOf(header, nowMs);
  assert.deepEqual([read("120"), read("0"), read(), read("soon"), read("-5")].slice(0, 4), [120_000, 0, null, null]);
  assert.equal(read("Sat, 31 Jan 2026 12:01:00 GMT"), 60_000);
  assert.equal(read("Sat, 31 Jan 2026 11:00:00 GMT"), 0);
});
