import assert from "node:assert/strict";
import { test } from "node:test";
import { firstWindows, openingOf, windowsAround } from "./log-windows.ts";

test("the windows hold the rendered entries and a few around them", () => {
  assert.deepEqual(windowsAround(0, 8, 1000), [0]);
  assert.deepEqual(windowsAround(10, 14, 1000), [0]);
  assert.deepEqual(windowsAround(10, 19, 1000), [0, 25]);
  assert.deepEqual(windowsAround(30, 45, 1000), [0, 25, 50]);
  assert.deepEqual(windowsAround(995, 999, 1000), [975]);
});

test("nothing is loaded beyond the end or for an empty list", () => {
  assert.deepEqual(windowsAround(0, -1, 0), []);
  assert.deepEqual(windowsAround(40, 60, 45), [25]);
  assert.deepEqual(windowsAround(0, 0, 0), []);
});

test("a live run opens at its end, an ended one at its beginning, a link at its step", () => {
  assert.deepEqual(openingOf(null, true, 80), "end");
  assert.deepEqual(openingOf(null, false, 80), "start");
  assert.deepEqual(openingOf(12, true, 80), 12);
  assert.deepEqual(openingOf(81, false, 80), "end");
});

test("the first screen needs few windows", () => {
  assert.deepEqual(firstWindows("start", 1_000_000), [0]);
  assert.deepEqual(firstWindows("end", 1000), [975]);
  assert.deepEqual(firstWindows("end", 1003), [975, 1000]);
  assert.deepEqual(firstWindows("end", 3), [0]);
  assert.deepEqual(firstWindows(500_001, 1_000_000), [499975, 500000]);
  assert.deepEqual(firstWindows("start", 0), []);
});
