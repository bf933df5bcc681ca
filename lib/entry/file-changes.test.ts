import assert from "node:assert/strict";
import { test } from "node:test";
import { changesOfPatch, type FileChange, wantedChanges } from "./file-changes.ts";

/** A change in one line: status, paths, and its lines with their signs. */
function told({ path, oldPath, status, source }: FileChange): string {
  const name = oldPath === null ? path : `${oldPath} → ${path}`;
  const lines =
    "hunks" in source
      ? source.hunks.flatMap((hunk) =>
          hunk.lines.map(({ kind, text }) => `${{ same: " ", added: "+", removed: "-" }[kind]}${text}`),
        )
      : [`${source.oldText ?? "(none)"} ⇒ ${source.newText}`];
  return `${status} ${name}: ${lines.join("|")}`;
}

test("a patch of apply_patch gives its files: added, changed, renamed and deleted ones", () => {
  const patch = `*** Begin Patch
*** Add File: docs/new.md
+# New
+
*** Update File: src/a.ts
*** Move to: src/b.ts
@@ class A
 keep
-old
+new
@@
-gone
*** End of File
*** Delete File: C:\\w\\c.ts
*** End Patch`;
  assert.deepEqual(changesOfPatch(patch).map(told), [
    "added docs/new.md: +# New|+",
    "renamed src/a.ts → src/b.ts:  keep|-old|+new|-gone",
    "deleted C:\\w\\c.ts: ",
  ]);
  const [added, renamed] = changesOfPatch(patch);
  assert.ok(added !== undefined && "hunks" in added.source && added.source.hunks[0]?.newStart === 1);
  assert.ok(renamed !== undefined && "hunks" in renamed.source);
  assert.deepEqual(
    renamed.source.hunks.map(({ oldStart, heading }) => [oldStart, heading]),
    [
      [null, "class A"],
      [null, ""],
    ],
  );
  assert.deepEqual(changesOfPatch(patch.replaceAll("\n", "\r\n")).map(told), changesOfPatch(patch).map(told));
});

test("search and replace blocks are changes of the file named above them, or of the call's file", () => {
  const block = "<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE";
  assert.deepEqual(changesOfPatch(block, "a.ts").map(told), ["modified a.ts: old\n ⇒ new\n"]);
  const named = `src/b.py\n\`\`\`python\n${block}\n\`\`\`\n\nlib/c.py\n<<<<<<< SEARCH\n=======\nall\n>>>>>>> REPLACE`;
  assert.deepEqual(changesOfPatch(named).map(told), [
    "modified src/b.py: old\n ⇒ new\n",
    "added lib/c.py: (none) ⇒ all\n",
  ]);
  assert.deepEqual(changesOfPatch("<<<<<<< SEARCH\n".repeat(100_000), "a.ts"), []);
});

test("a unified diff gives its files, also in an answer, and its name may be in another field", () => {
  const diff = "--- a/x.ts\n+++ b/x.ts\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n";
  assert.deepEqual(changesOfPatch(diff).map(told), ["modified x.ts:  a|-b|+c"]);
  assert.deepEqual(changesOfPatch("@@ -1,1 +1,1 @@\n-b\n+c\n", "y.ts").map(told), ["modified y.ts: -b|+c"]);
  assert.deepEqual(changesOfPatch("just words"), []);
});

test("several edits of a file are several changes, and an insertion adds its lines after a line", () => {
  const edits = [{ old_string: "a", new_string: "b" }, { oldText: "c", newText: "" }, { old_string: "only" }];
  assert.deepEqual(wantedChanges({ file_path: "a.ts", edits }, true).map(told), [
    "modified a.ts: a ⇒ b",
    "modified a.ts: c ⇒ ",
  ]);
  const [inserted] = wantedChanges({ path: "a.ts", insert_line: 4, new_str: "x\ny\n" }, true);
  assert.ok(inserted !== undefined && "hunks" in inserted.source);
  assert.deepEqual([told(inserted), inserted.source.hunks[0]?.newStart], ["modified a.ts: +x|+y", 5]);
  assert.deepEqual(wantedChanges({ path: "a.ts", content: "x" }, false), []);
});
