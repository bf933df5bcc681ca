import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { AgentStartError } from "#lib/agents/agent.ts";
import { GitError } from "#lib/workspace/git.ts";
import { entryOfError } from "./attempt-error.ts";
import { errorEntry } from "./ending-entries.ts";

test("an error of the operating system is told by its code, without the path that it names", async () => {
  const error = await readFile("/nowhere/data/checkouts/7/file").catch((error: unknown) => error);
  assert.match(String(error), /nowhere/);
  const { observation } = entryOfError(error);
  assert.deepEqual(observation, { code: "ENOENT", message: "The operating system answered ENOENT." });
});

test("a full disk has one code, whoever met it", async () => {
  const ofFiles = await writeFile("/dev/full", "x").catch((error: unknown) => error);
  const ofGit = new GitError("git_failed", "git clone: failed", 128, "fatal: write error: No space left on device\n");
  const around = new Error("The checkout could not be made", { cause: ofFiles });
  const started = new AgentStartError("x", errorEntry("agent_start_failed", "The operating system answered ENOSPC."));
  for (const error of [ofFiles, ofGit, around, started]) {
    assert.equal(Object(entryOfError(error).observation).code, "disk_full", String(error));
  }
});

test("too many watched files are not a full disk, although the operating system answers the same", () => {
  for (const words of [
    "ENOSPC: System limit for number of file watchers reached, watch '/workspace'",
    "inotify_add_watch: No space left on device",
  ]) {
    const error = new AgentStartError("x", errorEntry("agent_exited", `It exited.\nLast output: ${words}`));
    assert.equal(Object(entryOfError(error).observation).code, "agent_exited");
  }
});
