import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePatch } from "./patch.ts";
import { indexPatch } from "./patch-index.ts";

const patch = `diff --git a/a.txt b/a.txt
index 1..2 100644
--- a/a.txt
+++ b/a.txt
@@ -1,3 +1,3 @@ heading
 same
--- removed
+++ added
 diff --git a/x b/x
@@ -9 +9,2 @@
-old
\\ No newline at end of file
+new
+diff --git a/y b/y
\\ No newline at end of file
diff --git a/old name.txt b/new name.txt
similarity index 100%
rename from old name.txt
rename to new name.txt
diff --git a/b.bin b/b.bin
new file mode 100644
index 0..3
GIT binary patch
literal 120

literal 0

diff --git "a/\\303\\274.txt" "b/\\303\\274.txt"
deleted file mode 100644
--- "a/\\303\\274.txt"
+++ /dev/null
@@ -1 +0,0 @@
-x
`;

test("an index has what reading the whole patch gives", () => {
  const { files } = parsePatch(patch);
  assert.equal(files.length, 4);
  const indexed = indexPatch(patch).map(
    ({ rows: _, oldPath, newPath, status, isBinary, oldBytes, newBytes, oldMode, newMode, added, removed, hunks }) => ({
      ...{ oldPath, newPath, status, isBinary, oldBytes, newBytes, oldMode, newMode, added, removed, hunks },
    }),
  );
  assert.deepEqual(indexed, files);
  assert.deepEqual(
    indexPatch(patch).map(({ rows }) => rows),
    [9, 0, 0, 2],
  );
});

test("text without files has none, and text before the first is left out", () => {
  assert.deepEqual(indexPatch(""), []);
  assert.deepEqual(indexPatch("hello\n"), []);
  assert.equal(indexPatch(`hello\n${patch}`).length, 4);
});
