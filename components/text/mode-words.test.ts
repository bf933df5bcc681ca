import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePatch } from "#lib/entry/patch.ts";
import { describeMode } from "./mode-words.ts";

test("a changed mode, and the kind of a new or deleted file, are said; an ordinary file's is not", () => {
  const said = (...headers: string[]) => {
    const [file] = parsePatch(["diff --git a/run.sh b/run.sh", ...headers].join("\n")).files;
    return file === undefined ? undefined : describeMode(file);
  };
  assert.equal(said("old mode 100644", "new mode 100755"), "now executable");
  assert.equal(said("old mode 100755", "new mode 100644", "--- a/run.sh", "+++ b/run.sh"), "no longer executable");
  assert.equal(said("old mode 100644\r", "new mode 120000\r"), "mode 100644 → 120000");
  assert.equal(said("new file mode 100755", "index 0000000..e69de29"), "executable");
  assert.equal(said("new file mode 100644", "index 0000000..e69de29"), null);
  assert.equal(said("deleted file mode 120000", "index e69de29..0000000"), "symbolic link");
  assert.equal(said("index 1111111..2222222 100755", "--- a/run.sh", "+++ b/run.sh"), null);
});
