// Tier: rest
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "#lib/workspace/test-repository.ts";
import { hasEnded, openWithSetup, sh, told } from "./run-setup.fixture.ts";

test("a generate run tries what the files name, and its proposal is kept with the evidence", async (t) => {
  const { create, entries, until, repositoryId, statusOf, store, access } = await openWithSetup(
    t,
    {},
    {
      Makefile: "deps:\n\ttouch ignored\n\ntest:\n\t@echo broken; exit 4\n\nbuild:\n\t@test -e ignored\n",
    },
  );
  const run = await create("Find the commands", { repositoryId, sourceType: "SETUP_COMMANDS", agent: "setup" });
  assert.equal((await until(run.id, hasEnded)).status, "completed");
  assert.deepEqual(
    told(await entries(run.id)).filter((line) => line.startsWith("make")),
    ["make deps completed", "make build completed", "make test failed"],
  );
  const kept = await store.setups.find(access, repositoryId);
  assert.equal(kept?.proposal?.runId, run.id);
  assert.deepEqual(
    kept?.proposal?.proposal.commands.map(({ kind, command, outcome, note, evidence }) => [
      kind,
      command,
      outcome,
      note,
      evidence,
    ]),
    [
      ["install", "make deps", "worked", null, [{ path: "Makefile", line: 1 }]],
      ["build", "make build", "worked", null, [{ path: "Makefile", line: 7 }]],
      ["test", "make test", "failed", "exit code 2", [{ path: "Makefile", line: 4 }]],
    ],
  );
  assert.match(kept?.proposal?.proposal.commit ?? "", /^[0-9a-f]{40}$/);
  assert.equal(await statusOf(), "proposed");
});

test("a generate run in a repository without any signs of a setup completes with an empty proposal", async (t) => {
  const { create, until, repositoryId, statusOf } = await openWithSetup(t, {}, { "README.md": "# x\n" });
  const run = await create("Find the commands", { repositoryId, sourceType: "SETUP_COMMANDS", agent: "setup" });
  const ended = await until(run.id, hasEnded);
  assert.equal(ended.status, "completed");
  assert.match(ended.result ?? "", /^I found no setup commands/);
  assert.equal(await statusOf(), "none");
});

test("another agent in a generate run is given what was found; an answer without commands proposes nothing and says so", async (t) => {
  const { create, entries, until, repositoryId, statusOf } = await openWithSetup(
    t,
    { install: ["touch never"] },
    {
      Makefile: "test:\n\ttrue\n",
    },
  );
  const run = await create(sh("make test"), { repositoryId, sourceType: "SETUP_COMMANDS" });
  assert.equal((await until(run.id, hasEnded)).status, "completed");
  assert.deepEqual(told(await entries(run.id)), ["message", "make test completed", "notice No proposal"]);
  assert.equal(await statusOf(), "ready");
});

test("a cancel while the files are read for another agent ends the reading, and the run", async (t) => {
  const bin = temporaryFolder(t);
  const pid = join(bin, "pid");
  // Only reading the signs lists a whole tree.
  const slow = `case "$*" in *--full-tree*) echo $$ > '${pid}'; exec sleep 300;; esac`;
  writeFileSync(join(bin, "git"), `#!/bin/sh\n${slow}\nPATH='${process.env.PATH}' exec git "$@"\n`, { mode: 0o755 });
  const path = `${bin}:${process.env.PATH}`;
  const { create, entries, until, repositoryId, store, access } = await openWithSetup(t, {}, {}, path);
  const run = await create(sh("echo never"), { repositoryId, sourceType: "SETUP_COMMANDS" });
  await until(run.id, () => existsSync(pid));
  await store.runs.cancel(access, run.id);
  assert.equal((await until(run.id, hasEnded)).status, "cancelled");
  assert.throws(() => process.kill(Number(readFileSync(pid, "utf8")), 0), { code: "ESRCH" });
  assert.deepEqual(told(await entries(run.id)), ["message", "message"], "the prompt, and the mark of the cancel");
});
