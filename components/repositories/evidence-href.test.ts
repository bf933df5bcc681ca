import assert from "node:assert/strict";
import { test } from "node:test";
import { evidenceHref } from "./evidence-href.ts";

const commit = "a".repeat(40);

test("a line of a repository on GitHub or GitLab has an address, whatever characters the file's name contains", () => {
  const github = `https://github.com/o/r/blob/${commit}/a%20b/%23c.json#L4`;
  for (const source of ["https://github.com/o/r", "https://github.com/o/r.git", "git@github.com:o/r.git"]) {
    assert.equal(evidenceHref(source, commit, "a b/#c.json", 4), github);
  }
  assert.equal(
    evidenceHref("https://gitlab.com/g/s/r.git", commit, "Makefile", 1),
    `https://gitlab.com/g/s/r/-/blob/${commit}/Makefile#L1`,
  );
});

test("a folder, another host, a hostile source or an unknown commit has none", () => {
  for (const source of [
    "/srv/r",
    "https://example.com/o/r",
    "https://github.com/o/r?x=<script>",
    "javascript:github.com/o/r",
  ]) {
    assert.equal(evidenceHref(source, commit, "Makefile", 1), null);
  }
  assert.equal(evidenceHref("https://github.com/o/r", null, "Makefile", 1), null);
  assert.equal(evidenceHref("https://github.com/o/r", "main", "Makefile", 1), null);
});
