import assert from "node:assert/strict";
import { test } from "node:test";
import { HeightSample } from "./height-sample.ts";

test("an estimate comes after the first four items, and again only where more of them say something else", () => {
  const sample = new HeightSample();
  for (const height of [100, 200, 300]) sample.add(height);
  assert.equal(sample.takeBetter(), null);
  sample.add(400);
  assert.equal(sample.takeBetter(), 250);
  assert.equal(sample.takeBetter(), null);
  for (let more = 0; more < 12; more += 1) sample.add(250);
  assert.equal(sample.takeBetter(), null);
  for (let more = 0; more < 48; more += 1) sample.add(50);
  assert.equal(sample.takeBetter(), 100);
});
