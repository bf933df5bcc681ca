import assert from "node:assert/strict";
import { test } from "node:test";
import { gitApplyPaths } from "./patch-paths.ts";

test("the files of a git patch are reported with creation, deletion and rename", () => {
  const patch = [
    "diff --git a/new file.txt b/new file.txt",
    "new file mode 100644",
    "index 0000000..e69de29",
    "diff --git a/old.txt b/old.txt",
    "deleted file mode 100644",
    "--- a/old.txt",
    "+++ /dev/null",
    "@@ -1 +0,0 @@",
    "--- a line that looks like a header",
    "diff --git a/from here b/to there",
    "similarity index 90%",
    "rename from from here",
    "rename to to there",
    "--- a/from here",
    "+++ b/to there",
    "@@ -1 +1 @@",
    "-a",
    "+b",
    'diff --git "a/caf\\303\\251" "b/caf\\303\\251"',
    '--- "a/caf\\303\\251"',
    '+++ "b/caf\\303\\251"',
    "@@ -1 +1 @@",
    "-a",
    "+b",
    "",
  ].join("\n");
  assert.deepEqual(gitApplyPaths(patch), {
    strip: 1,
    files: [
      { from: null, to: "new file.txt" },
      { from: "old.txt", to: null },
      { from: "from here", to: "to there" },
      { from: "café", to: "café" },
    ],
  });
});

test("a patch without prefixes is applied without stripping folders", () => {
  const patch = "--- src/a.c\t2024-01-01 00:00:00\n+++ src/a.c\t2024-01-02 00:00:00\n@@ -1 +1 @@\n-a\n+b\n";
  assert.deepEqual(gitApplyPaths(patch), { strip: 0, files: [{ from: "src/a.c", to: "src/a.c" }] });
});

test("text that is not a patch names no file", () => {
  assert.deepEqual(gitApplyPaths("hello\n--- not a header\n").files, []);
});
