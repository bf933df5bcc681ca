import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { lineFinder } from "./diff-line.ts";

test("a change is found on its line, and only where its text is in the checkout's file exactly once", (t) => {
  const root = mkdtempSync(join(tmpdir(), "errand-lines-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, "checkout");
  mkdirSync(folder);
  writeFileSync(join(folder, "a.txt"), "one\ntwo\nthree\ntwo\nfour\n");
  writeFileSync(join(root, "secret"), "word\n");
  symlinkSync("../secret", join(folder, "link"));
  const lineOf = lineFinder(folder);
  const line = (path: string, newText: string) => lineOf({ path, oldText: "x", newText });
  assert.equal(line("a.txt", "three\n"), 3);
  assert.equal(line("a.txt", "two\nfour\n"), 4);
  assert.equal(line("a.txt", "two\n"), null);
  assert.equal(line("a.txt", "five"), null);
  assert.equal(line("a.txt", ""), null);
  for (const path of ["none", ".", "link", "../secret", join(root, "secret")])
    assert.equal(line(path, "word"), null, path);
});
