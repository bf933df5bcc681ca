import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { parsePatch, pathOf } from "./patch.ts";

test("git's output is read back: added, deleted, renamed, binary and oddly named files", (context) => {
  const folder = mkdtempSync(join(tmpdir(), "patch-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
      cwd: folder,
      encoding: "utf8",
    });
  const write = (name: string, text: string | Uint8Array) => writeFileSync(join(folder, name), text);
  git("init", "-q");
  write("changed.txt", "-- one\ntwo\nthree\n");
  write("gone.txt", "x\n");
  write("old name.txt", "same\n".repeat(20));
  write("blob.bin", new Uint8Array([0, 1, 2]));
  git("add", "-A");
  git("commit", "-qm", "first");
  write("changed.txt", "++ one\ntwo\nthree, without line feed");
  git("rm", "-q", "gone.txt");
  git("mv", "old name.txt", "new name.txt");
  write("blob.bin", new Uint8Array([0, 9, 9]));
  write('é "q"\t.txt', "new\n");
  write("empty file", "");
  git("add", "-A");
  write("new.bin", new Uint8Array([0, 1, 2, 3, 4]));
  git("add", "-A");
  const withContents = parsePatch(git("diff", "--cached", "-M", "--binary")).files;
  assert.deepEqual(
    withContents.filter((file) => file.isBinary).map((file) => [pathOf(file), file.oldBytes, file.newBytes]),
    [
      ["blob.bin", 3, 3],
      ["new.bin", 0, 5],
    ],
  );
  git("rm", "-q", "--cached", "new.bin");
  const { files, isCut } = parsePatch(git("diff", "--cached", "-M"));
  assert.deepEqual(
    withContents.map(pathOf).filter((path) => path !== "new.bin"),
    files.map(pathOf),
  );
  assert.equal(isCut, false);
  const found = Object.fromEntries(
    files.map((file) => [pathOf(file), [file.status, file.isBinary, file.added, file.removed]]),
  );
  assert.deepEqual(found, {
    "blob.bin": ["modified", true, 0, 0],
    "changed.txt": ["modified", false, 2, 2],
    "empty file": ["added", false, 0, 0],
    "gone.txt": ["deleted", false, 0, 1],
    "new name.txt": ["renamed", false, 0, 0],
    'é "q"\t.txt': ["added", false, 1, 0],
  });
  assert.equal(files.find((file) => file.status === "renamed")?.oldPath, "old name.txt");
  assert.deepEqual(
    files.find((file) => pathOf(file) === "changed.txt")?.hunks[0]?.lines.map((line) => `${line.kind} ${line.text}`),
    ["removed -- one", "added ++ one", "same two", "removed three", "added three, without line feed"],
  );
});

test("a patch without git's headers, several files in a row", () => {
  const patch =
    "--- a.txt\t2020-01-01\n+++ a.txt\t2020-01-02\n@@ -1 +1 @@\n-a\n+b\n--- /dev/null\n+++ new.txt\n@@ -0,0 +1,2 @@\n+x\n+y\n";
  const { files } = parsePatch(patch);
  assert.deepEqual(
    files.map((file) => [pathOf(file), file.status, file.added, file.removed]),
    [
      ["a.txt", "modified", 1, 1],
      ["new.txt", "added", 2, 0],
    ],
  );
});

test("garbage, cut and hostile patches neither throw nor invent files", () => {
  assert.deepEqual(parsePatch("").files, []);
  assert.deepEqual(parsePatch("hello\n+world\n@@ -1 +1 @@\n-a\n+b").files, []);
  const lying = parsePatch(
    "diff --git a/x b/x\n@@ -1,999999999 +1,999999999 @@\n a\ndiff --git a/y b/y\n@@ broken @@\n",
  );
  assert.deepEqual(lying.files.map(pathOf), ["x", "y"]);
  for (const part of [
    "diff --git ",
    "@@ -1 +1 @@\n",
    "--- \n",
    "+++ \n",
    '"\\',
    "\\",
    'diff --git "a/\\777" b\n',
    "\r\n",
    "\0",
  ]) {
    const { files } = parsePatch(part.repeat(5_000));
    assert.ok(files.length <= 5_000);
  }
  assert.equal(parsePatch("\n".repeat(500_000)).isCut, true);
  const long = "a".repeat(1_000_000);
  assert.deepEqual(parsePatch(`--- "a/${long}"\n+++ "b/${long}\\t${long}"`).files.map(pathOf), [`${long}\t${long}`]);
  assert.deepEqual(parsePatch(`diff --git "a/${long}" "b/${long}"`).files.map(pathOf), [long]);
});
