// Tier: rest
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ensureMirror } from "./mirror.ts";
import { git, makeRepository, temporaryFolder, testEnv } from "./test-repository.ts";
import { tidyMirrors } from "./tidy-mirrors.ts";

test("a mirror with many packs is packed again, one that is damaged is told of, and another with few stays", async (t) => {
  const dataDir = join(temporaryFolder(t), "data");
  const source = join(dataDir, "../source");
  makeRepository(source);
  const packsOf = (mirror: string) =>
    readdirSync(join(mirror, "objects/pack")).filter((name) => name.endsWith(".pack")).length;
  const { path: many } = await ensureMirror({ dataDir, repoId: 2, source, env: testEnv });
  const { path: few } = await ensureMirror({ dataDir, repoId: 3, source, env: testEnv });
  for (const path of [many, few]) git(path, "repack", "-d", "--quiet");
  for (let at = 0; at < 60; at += 1) {
    writeFileSync(join(source, "file"), String(at));
    git(source, "add", ".");
    git(source, "commit", "--quiet", "-m", "more");
    git(many, "fetch", "--quiet", source, `+refs/heads/main:refs/heads/errand/run-${at}`);
    git(many, "repack", "-d", "--quiet");
  }
  assert.ok(packsOf(many) > 50, String(packsOf(many)));
  mkdirSync(join(dataDir, "mirrors/1.git"));
  const problems: string[] = [];
  await tidyMirrors({ dataDir, env: testEnv, onProblem: (mirror) => problems.push(mirror) });
  assert.deepEqual([packsOf(many), packsOf(few), problems], [1, 1, ["1.git"]]);
  assert.equal(git(many, "rev-parse", "refs/heads/errand/run-59"), git(source, "rev-parse", "main"));
  assert.deepEqual(readdirSync(join(dataDir, "mirrors")).sort(), ["1.git", "2.git", "3.git"]);
});
