import assert from "node:assert/strict";
import { test } from "node:test";
import { inTreeOrder, treeRows } from "./file-tree.ts";

const sorted = (...paths: string[]) => inTreeOrder(paths, (path) => path);
const drawn = (...given: Parameters<typeof treeRows>) =>
  treeRows(...given).map(
    (row) => `${" ".repeat(row.depth)}${row.name}${row.kind === "folder" ? (row.isOpen ? "/" : "/…") : ""}`,
  );

test("folders come before files, and numbers sort by value", () => {
  assert.deepEqual(sorted("b.txt", "file-10.txt", "file-9.txt", "z/a.txt", "A/b.txt", "a"), [
    "A/b.txt",
    "z/a.txt",
    "a",
    "b.txt",
    "file-9.txt",
    "file-10.txt",
  ]);
});

test("folders that contain only one folder share its row; closed folders hide their contents", () => {
  const paths = sorted("src/lib/deep/a.ts", "src/lib/deep/b.ts", "readme", "docs/x/1.md", "docs/y.md");
  assert.deepEqual(drawn(paths, new Set()), [
    "docs/",
    " x/",
    "  1.md",
    " y.md",
    "src/lib/deep/",
    " a.ts",
    " b.ts",
    "readme",
  ]);
  assert.deepEqual(drawn(paths, new Set(["docs/", "src/lib/deep/"])), ["docs/…", "src/lib/deep/…", "readme"]);
});

test("a filter finds text in paths, also in closed folders", () => {
  const paths = sorted("src/a.ts", "src/b.ts", "test/a.ts");
  assert.deepEqual(drawn(paths, new Set(["src/"]), "A.TS"), ["src/", " a.ts", "test/", " a.ts"]);
  assert.deepEqual(drawn(paths, new Set(), "nothing"), []);
});
