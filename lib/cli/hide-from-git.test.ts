import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { git, makeRepository, temporaryFolder } from "#lib/workspace/test-repository.ts";
import { errand, openFolder } from "./data-folder.fixture.ts";
import { hideFromGit } from "./hide-from-git.ts";

test("from the first start on, git does not see a data folder inside a repository", async (t) => {
  const outer = join(temporaryFolder(t), "outer");
  makeRepository(outer);
  const dataDir = join(outer, "data");
  mkdirSync(dataDir);
  // The start hides the folder before it reads the store, and fails here.
  writeFileSync(join(dataDir, "errand.db"), "no store");
  assert.notEqual((await errand(dataDir, "start")).code, 0);
  git(outer, "add", "--all");
  assert.equal(git(outer, "status", "--short", "--untracked-files=all"), "");
});

test("a data folder's own .gitignore stays, and a folder that cannot be written to does not prevent the start", async (t) => {
  const dataDir = temporaryFolder(t);
  writeFileSync(join(dataDir, ".gitignore"), "mine\n");
  await hideFromGit(dataDir);
  assert.equal(readFileSync(join(dataDir, ".gitignore"), "utf8"), "mine\n");
  await hideFromGit(join(dataDir, "missing"));
});

test("a backup is restored into a folder that was only started, without what the first start put there", async (t) => {
  const { dataDir, folder } = await openFolder(t);
  await hideFromGit(dataDir);
  const [file, target] = [join(folder, "one.tar"), join(folder, "target")];
  assert.equal((await errand(dataDir, "backup", file)).code, 0);
  mkdirSync(target);
  await hideFromGit(target);
  assert.equal((await errand(target, "restore", file)).code, 0);
  assert.equal(readFileSync(join(target, ".gitignore"), "utf8"), "*\n");
});
