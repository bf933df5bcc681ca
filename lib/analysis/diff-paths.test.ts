import assert from "node:assert/strict";
import { test } from "node:test";
import { pathsOfDiff } from "./diff-paths.ts";

const paths = (lines: string[]) => [...pathsOfDiff(Buffer.from(lines.join("\n")))];

test("a diff names text, binary, empty, renamed and removed files", () => {
  const diff = [
    "diff --git a/src/my file.ts b/src/my file.ts",
    "--- a/src/my file.ts\t",
    "+++ b/src/my file.ts\t",
    "@@ -1 +1 @@",
    "--- a/not-a-path",
    "+++ b/not-a-path",
    "diff --git a/logo.png b/logo.png",
    "index 1..2 100644",
    "GIT binary patch",
    "literal 3",
    "diff --git a/photo.jpg b/photo.jpg",
    "Binary files a/photo.jpg and b/photo.jpg differ",
    "diff --git a/empty b/empty",
    "new file mode 100644",
    "diff --git a/old.ts b/new.ts",
    "rename from old.ts",
    "rename to new.ts",
    "diff --git a/gone.ts b/gone.ts",
    "--- a/gone.ts",
    "+++ /dev/null",
  ];
  assert.deepEqual(paths(diff), ["src/my file.ts", "logo.png", "photo.jpg", "empty", "old.ts", "new.ts", "gone.ts"]);
});

test("quoted paths are decoded, and bytes that are not UTF-8 do no harm", () => {
  assert.deepEqual(paths(['diff --git "a/gr\\303\\274n \\"x\\".txt" "b/gr\\303\\274n \\"x\\".txt"']), ['grün "x".txt']);
  const latin = Buffer.from("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-caf\xe9\n", "latin1");
  assert.deepEqual([...pathsOfDiff(latin)], ["x"]);
  assert.deepEqual(paths([""]), []);
});
