import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePatch } from "#lib/entry/patch.ts";
import { fingerprintOf, readViewed, type Viewed, withViewed } from "./viewed-files.ts";

const patch = (added: string, path = "a.txt") =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-one\n+${added}\n`;

function printOf(text: string): string {
  const [file] = parsePatch(text).files;
  assert.ok(file !== undefined);
  return fingerprintOf(file);
}

test("a tick belongs to the change that was seen: another change of the same file, even of the same size, is not ticked", () => {
  assert.equal(printOf(patch("two")), printOf(patch("two")));
  assert.notEqual(printOf(patch("two")), printOf(patch("owt")));
  assert.notEqual(printOf(patch("two")), printOf(patch("two").replace("@@ -1 +1 @@", "@@ -2 +2 @@")));
});

test("ticks are set and removed by run and path, and those of the last 50 runs are kept", () => {
  const tick = (viewed: Viewed, runId: number, path: string, print: string | null) =>
    withViewed(viewed, { runId, path, print });
  let viewed = tick([], 1, "__proto__", "x");
  viewed = tick(viewed, 1, "b", "y");
  assert.deepEqual(readViewed(JSON.stringify(viewed)), [
    [
      1,
      [
        ["__proto__", "x"],
        ["b", "y"],
      ],
    ],
  ]);
  assert.deepEqual(tick(tick(viewed, 1, "b", null), 1, "__proto__", null), []);
  for (let runId = 2; runId <= 60; runId += 1) viewed = tick(viewed, runId, "a", "z");
  assert.equal(viewed.length, 50);
  assert.deepEqual([viewed[0]?.[0], viewed.at(-1)?.[0]], [60, 11]);
});

test("stored ticks from elsewhere are read as far as possible", () => {
  for (const text of ["", "{", "null", "{}", "[1]", '[[1, "a"]]', '[["1", []]]', "[[1, [[1, 2]]]]"]) {
    assert.deepEqual(readViewed(text), [], text);
  }
  assert.deepEqual(readViewed('[[1, []], "x"]'), [[1, []]]);
});
