import assert from "node:assert/strict";
import { test } from "node:test";
import { formatDuration, formatRelative } from "./format-time.ts";

const now = Date.UTC(2026, 7, 1, 12, 0, 0);

test("a moment of the last day is given in its largest whole unit", () => {
  const cases: [number, string][] = [
    [0, "now"],
    [4.9, "now"],
    [5, "5s ago"],
    [59.9, "59s ago"],
    [60, "1m ago"],
    [3 * 3600 + 59 * 60, "3h ago"],
    [86399, "23h ago"],
  ];
  for (const [seconds, text] of cases) assert.equal(formatRelative(now - seconds * 1000, now, "utc"), text);
});

test("what is older than a day is given by its day, with the year if it is another", () => {
  const cases: [number, string][] = [
    [86400, "31 Jul"],
    [12 * 86400, "20 Jul"],
    [212 * 86400, "1 Jan"],
    [213 * 86400, "31 Dec 2025"],
  ];
  for (const [seconds, text] of cases) assert.equal(formatRelative(now - seconds * 1000, now, "utc"), text);
  const local = new Date(now - 3 * 86400_000);
  assert.ok(formatRelative(local.getTime(), now, "local").startsWith(`${local.getDate()} `));
});

test("a clock slightly ahead never shows the future, but a real future moment is shown", () => {
  assert.equal(formatRelative(now + 3000, now, "utc"), "now");
  assert.equal(formatRelative(now + 2 * 86400_000, now, "utc"), "in 2d");
});

test("future times are rounded, and given in days up to 90", () => {
  const minute = 60;
  const day = 86_400;
  const cases: [number, string][] = [
    [30 * day - 5, "in 30d"],
    [90 * day - 5, "in 90d"],
    [365 * day - 5, "in 1y"],
    [180 * day - 5, "in 6mo"],
    [day - 5, "in 1d"],
    [1.4 * day, "in 1d"],
    [1.6 * day, "in 2d"],
    [60 * minute - 5, "in 1h"],
    [59 * minute, "in 59m"],
    [90, "in 2m"],
    [59, "in 59s"],
  ];
  for (const [seconds, text] of cases) assert.equal(formatRelative(now + seconds * 1000, now, "utc"), text, text);
});

test("a duration has two units, the smaller with two digits", () => {
  const cases: [number, string][] = [
    [0, "0s"],
    [999, "0s"],
    [12_000, "12s"],
    [59_999, "59s"],
    [60_000, "1m 00s"],
    [72_400, "1m 12s"],
    [3_600_000, "1h 00m"],
    [2 * 3_600_000 + 5 * 60_000 + 59_000, "2h 05m"],
    [3 * 86_400_000 + 4 * 3_600_000, "3d 04h"],
    [-50, "0s"],
  ];
  for (const [ms, text] of cases) assert.equal(formatDuration(ms), text);
});

test("a precise duration shows milliseconds and tenths where they matter", () => {
  assert.equal(formatDuration(0, { precise: true }), "0ms");
  assert.equal(formatDuration(840, { precise: true }), "840ms");
  assert.equal(formatDuration(1260, { precise: true }), "1.2s");
  assert.equal(formatDuration(12_900, { precise: true }), "12s");
  assert.equal(formatDuration(72_400, { precise: true }), "1m 12s");
});
