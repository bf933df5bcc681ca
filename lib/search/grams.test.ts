import assert from "node:assert/strict";
import { randomBytes, randomInt } from "node:crypto";
import { test } from "node:test";
import { gramBytes, gramsOf, hasBits, slotsOf } from "./grams.ts";
import { candidatesIn, groupBlocks, isCandidate, sliceRows } from "./slices.ts";

/** Bytes of few kinds, so that parts occur often, or of all kinds. */
const someBytes = (length: number) => {
  const bytes = randomBytes(length);
  return randomInt(2) === 0 ? bytes : bytes.map((byte) => 97 + (byte % 5));
};

test("the grams of a text contain those of every part of it", () => {
  for (let round = 0; round < 300; round += 1) {
    const text = someBytes(1 + randomInt(400));
    const grams = gramsOf(text);
    for (let tries = 0; tries < 30; tries += 1) {
      const from = randomInt(text.length);
      const part = text.subarray(from, from + 1 + randomInt(Math.min(text.length - from, 60)));
      assert.ok(hasBits(grams, slotsOf(part)), `${text.toString("hex")} ${part.toString("hex")}`);
    }
  }
  assert.equal(gramsOf(new Uint8Array()).length, gramBytes);
});

test("the grams nearly always show that a missing text is missing", () => {
  const grams = gramsOf(Buffer.from("the quick brown fox jumps over the lazy dog ".repeat(50)));
  const unknown = Array.from({ length: 500 }, () => Buffer.from(randomBytes(6).toString("hex")));
  assert.ok(unknown.filter((part) => hasBits(grams, slotsOf(part))).length < 5);
  for (const part of ["#", "~", "zq", "qq"]) assert.equal(hasBits(grams, slotsOf(Buffer.from(part))), false, part);
});

test("a group gives the same result for each of its blocks as the block's own grams", () => {
  const texts = Array.from({ length: groupBlocks }, () => someBytes(1 + randomInt(2000)));
  const grams = texts.map((text) => gramsOf(text));
  const rows = sliceRows(grams);
  for (let round = 0; round < 50; round += 1) {
    const text = texts[randomInt(groupBlocks)] ?? Buffer.alloc(1);
    const from = randomInt(text.length);
    const slots = slotsOf(text.subarray(from, from + 1 + randomInt(8)));
    const candidates = candidatesIn(slots, (row) => rows[row] ?? null);
    for (const [place, own] of grams.entries()) {
      // Groups of 256 begin at ids 1, 257, 513 …
      assert.equal(isCandidate(candidates, 513 + place), hasBits(own, slots));
    }
  }
});
