import assert from "node:assert/strict";
import { test } from "node:test";
import type { PatchHunk } from "#lib/entry/patch.ts";
import { ignoreWhiteSpace } from "./ignore-white-space.ts";

const hunkOf = (...lines: string[]): PatchHunk => ({
  ...{ oldStart: 1, newStart: 1, heading: "" },
  lines: lines.map((line) => ({
    kind: line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "same",
    text: line.slice(1),
  })),
});
const shown = (hunks: readonly PatchHunk[]) =>
  hunks.map(({ lines }) => lines.map(({ kind, text }) => `${{ same: " ", added: "+", removed: "-" }[kind]}${text}`));

test("lines that differ only in white space are unchanged, with their new text", () => {
  const hunk = hunkOf(
    " before",
    "-if (a) {",
    "-b();",
    "-c();",
    "-}",
    "+if (a) {\r",
    "+  b();",
    "+  d();",
    "+\t}",
    " after",
  );
  assert.deepEqual(shown(ignoreWhiteSpace([hunk])), [
    [" before", " if (a) {\r", "   b();", "-c();", "+  d();", " \t}", " after"],
  ]);
});

test("a hunk with no other change is left out, and blank lines that come or go stay", () => {
  assert.deepEqual(ignoreWhiteSpace([hunkOf(" a", "-b", "+ b ", " c")]), []);
  assert.deepEqual(shown(ignoreWhiteSpace([hunkOf(" a", "+", " c")])), [[" a", "+", " c"]]);
});
