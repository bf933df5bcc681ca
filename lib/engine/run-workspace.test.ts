import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { git, makeRepository, temporaryFolder, testEnv, writeFiles } from "#lib/workspace/test-repository.ts";
import { createRunWorkspace } from "./run-workspace.ts";

/** The checkout of a run, which can be opened again as its next turn would. */
async function opened(t: TestContext, files: Record<string, string>) {
  const dataDir = join(temporaryFolder(t), "data");
  const source = join(dataDir, "../source");
  makeRepository(source, files);
  const environment = { PATH: testEnv.PATH ?? "" };
  const workspace = createRunWorkspace({ dataDir, environment, sandbox: "process-group" });
  const signal = AbortSignal.timeout(60_000);
  const open = () => workspace.open({ runId: 1, repositoryId: 1, source, baseBranch: null }, signal);
  return { workspace, checkout: await open(), open, signal };
}

test("a turn after an engine that was killed finds no links in .git", async (t) => {
  const { checkout, open } = await opened(t, { "a.txt": "one\n" });
  const outside = join(checkout.path, "../outside");
  writeFileSync(outside, "mine");
  const exclude = join(checkout.path, ".git/info/exclude");
  rmSync(exclude, { force: true });
  symlinkSync(outside, exclude);
  await open();
  writeFileSync(exclude, "*\n", { flag: "wx" });
  assert.equal(readFileSync(outside, "utf8"), "mine");
});

test("rule files and suggested commands are those of the commit, whatever the agent's .git says", async (t) => {
  const files = { "AGENTS.md": "rules", "package.json": '{"scripts":{"test":"x"}}', "package-lock.json": "{}" };
  const { workspace, checkout, signal } = await opened(t, files);
  const before = await workspace.findSetup(checkout, signal);
  assert.ok(before.length > 0);
  const other = join(checkout.path, "other");
  makeRepository(other, { "GEMINI.md": "other rules" });
  writeFiles(checkout.path, { ".git/commondir": `${other}/.git\n` });
  assert.equal(git(checkout.path, "ls-tree", "--name-only", "main"), "GEMINI.md", "git follows it");
  writeFileSync(join(checkout.path, ".git/HEAD"), "ref: refs/heads/main\n");
  assert.deepEqual(await workspace.findRuleFiles(checkout, signal), ["AGENTS.md"]);
  assert.deepEqual(await workspace.findSetup(checkout, signal), before);
});

test("half-made folders and locks that a killed engine left are removed when the next one starts", async (t) => {
  const { workspace, checkout } = await opened(t, { "a.txt": "one\n" });
  const parent = join(checkout.path, "..");
  const mirrors = join(parent, "../mirrors");
  const gone = spawnSync(process.execPath, ["-e", ""]);
  const lock = (name: string, pid: number) =>
    symlinkSync(JSON.stringify({ id: name, pid, host: hostname() }), join(mirrors, name));
  const before = readdirSync(mirrors);
  for (const name of ["1.git.push-5.lock", "1.git.lock", `1.git.push-6.lock.${randomUUID()}`]) lock(name, gone.pid);
  const live = ["1.git.push-7.lock", `1.git.push-7.lock.${randomUUID()}`];
  // As of the web process, which also pushes.
  for (const name of live) lock(name, process.pid);
  for (const name of [".making-13-0b9d", ".old-5-0b9d", ".finishing-2", ".looking-3", ".ignored-4"]) {
    writeFiles(parent, { [`${name}/file`]: "left\n" });
  }
  await workspace.sweep();
  assert.deepEqual(readdirSync(parent), ["1"]);
  assert.deepEqual(readdirSync(mirrors), [...before, ...live].sort());
});
