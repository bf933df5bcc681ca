import assert from "node:assert/strict";
import { test } from "node:test";
import { ServerClock } from "./server-clock.ts";

const noon = Date.UTC(2026, 0, 1, 12);
const httpDate = (ms: number) => new Date(ms).toUTCString();

test("a computer whose clock is wrong counts by the server's, and one that is right by its own", () => {
  const clock = new ServerClock();
  clock.note(httpDate(noon), noon + 1_200, noon + 1_300);
  assert.equal(clock.at(noon), noon);
  clock.note(httpDate(noon), noon + 60_000, noon + 60_000);
  assert.equal(clock.at(noon + 60_000), noon);
  // It stays what it is while responses agree with it.
  clock.note(httpDate(noon + 4_000), noon + 62_000, noon + 62_100);
  assert.equal(clock.at(noon + 60_000), noon);
  clock.note(httpDate(noon + 9_000), noon + 9_000, noon + 9_000);
  assert.equal(clock.at(noon), noon);
});

test("a response that took long, or has no date, says nothing about the clock", () => {
  const clock = new ServerClock();
  clock.note(httpDate(noon), noon, noon + 60_000);
  clock.note(httpDate(noon + 60_000), noon, noon + 60_000);
  clock.note(null, noon, noon);
  assert.equal(clock.at(noon), noon);
});
