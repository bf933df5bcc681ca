import assert from "node:assert/strict";
import { test } from "node:test";
import { HeightSample } from "./height-sample.ts";

test("there is an estimate after the first four items, and a new one only if more items differ from it", () => {
  const sample = new HeightSample();
  let index = 0;
  const add = (height: number) => sample.add(index++, height);
  for (const height of [100, 200, 300]) add(height);
  assert.equal(sample.takeBetter(), null);
  add(400);
  assert.equal(sample.takeBetter(), 250);
  assert.equal(sample.takeBetter(), null);
  for (let more = 0; more < 12; more += 1) add(250);
  assert.equal(sample.takeBetter(), null);
  for (let more = 0; more < 48; more += 1) add(50);
  assert.equal(sample.takeBetter(), 100);
});

test("an item measured twice counts once", () => {
  const sample = new HeightSample();
  for (let time = 0; time < 10; time += 1) sample.add(7, 900);
  for (const [index, height] of [100, 200, 300].entries()) sample.add(index, height);
  assert.equal(sample.takeBetter(), 375);
});
