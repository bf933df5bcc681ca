import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePatch } from "#lib/entry/patch.ts";
import { diffText, hunksText } from "./diff-text.ts";

const body = (text: string) => text.split("\n").slice(2).join("\n");

test("carriage returns and a missing final newline are in the exported diff where they make a difference", () => {
  assert.equal(body(diffText("a", "a\r\nb\r\n", "a\nb\r\n")), "@@ -1,2 +1,2 @@\n-a␍\n+a\n b\n");
  assert.equal(body(diffText("a", "a\r\nb\r\n", "a\r\nc\r\n")), "@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
  assert.equal(body(diffText("a", "b", "b\n")), "@@ -1,1 +1,1 @@\n-b\n\\ No newline at end of file\n+b\n");
  // Parts of a file: how the file ends is not known.
  assert.equal(body(diffText("a", "b", "b\nc")), "@@ -1,1 +1,2 @@\n b\n+c\n");
  const added = "--- /dev/null\n+++ a\n@@ -0,0 +1,1 @@\n+b\n";
  assert.equal(diffText("a", null, "b", true), `${added}\\ No newline at end of file\n`);
  assert.equal(diffText("a", null, "b"), added);
  const patch = "--- a\n+++ a\n@@ -1,2 +1,2 @@\n x\n-y\r\n+y\n\\ No newline at end of file\n";
  const [file] = parsePatch(patch).files;
  assert.equal(hunksText("a", "a", file?.hunks ?? []), patch.replace("\r", "␍"));
});

test("versions that differ too much to compare lose no line", () => {
  const [before, after] = ["a\n".repeat(400_000), "b\n".repeat(400_000)];
  assert.equal(diffText("a", before, after).split("\n").length, 800_004);
});
