import assert from "node:assert/strict";
import { test } from "node:test";
import { findMatches } from "./find-text.ts";
import { placesMax, TextScan } from "./text-scan.ts";

test("a text searched in steps has the same matches as in one go, none of them twice", () => {
  const text = `${"aab ".repeat(700_000)}end AAB`;
  for (const needle of ["end", "b aab a", "ab end aab"]) {
    const scan = new TextScan(text, needle);
    let steps = 1;
    while (scan.step()) steps += 1;
    const expected = findMatches(text, needle, placesMax).map(({ from }) => from);
    assert.deepEqual(scan.state.places, expected, needle);
    assert.ok(scan.state.isDone);
    if (expected.length < placesMax) assert.equal(steps, 3);
  }
});

test("a very frequent match is kept up to a limit", () => {
  const scan = new TextScan("x".repeat(3_000_000), "x");
  while (scan.step());
  assert.equal(scan.state.places.length, placesMax);
});
