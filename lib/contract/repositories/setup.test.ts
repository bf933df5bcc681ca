import assert from "node:assert/strict";
import { test } from "node:test";
import { InputPath } from "./setup.ts";

test("an input of a setup is in no .git, at any depth and in any spelling", () => {
  for (const path of [".git/config", "a/.git/config", "a/b/.GIT", ".\\a\\.git\\config", "./.git"]) {
    assert.equal(InputPath.safeParse(path).error?.issues[0]?.message, "must not be inside .git", path);
  }
  for (const path of ["a/.gitignore", ".github/workflows/ci.yml", "a.git/b"]) {
    assert.equal(InputPath.parse(path), path);
  }
});
