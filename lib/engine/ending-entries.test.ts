import assert from "node:assert/strict";
import { test } from "node:test";
import { populationProblem } from "#lib/contract/logs/entry.ts";
import { errorEntry, interruptionEntry, isInterruption, leftOutEntry, userMessageEntry } from "./ending-entries.ts";

test("the engine's own entries obey the population rules, and interruptions can be told from messages", () => {
  const message = userMessageEntry({ number: 3, prompt: "Hello" });
  assert.deepEqual([message.tool_input, message.observation], [{ turn: 3 }, "Hello"]);
  const entries = [errorEntry("internal", "It broke."), interruptionEntry("Stopped."), message];
  for (const entry of entries) assert.equal(populationProblem(entry), null);
  assert.deepEqual(entries.map(isInterruption), [false, true, false]);
});

test("the entry about files that were left out says why, and names the bounds", () => {
  const messageOf = (entry: ReturnType<typeof leftOutEntry>) => Object(entry.observation).message;
  assert.equal(
    messageOf(leftOutEntry([{ path: ".GIT/config", why: "refused", bytes: null }])),
    "Not in the branch, or not as it is in the checkout: `.GIT/config` (git rejects it). All other changes were saved, apart from files that git ignores, and pipes and sockets. To keep this work, resume the run and ask the agent to put it on the run's branch, or to push it elsewhere. Otherwise it is deleted with the checkout.",
  );
  assert.equal(
    messageOf(
      leftOutEntry([
        { path: "a.bin", why: "too_large", bytes: 101 * 1024 ** 2 },
        { path: "good.rc", why: "unchecked", bytes: null },
      ]),
    ),
    "Not in the branch, or not as it is in the checkout: `a.bin` (101 MB, too large), `good.rc` (encoding not checked). A file may be at most 100 MB, and all changed files of a turn 1,024 MB in total. Changed files with the attribute working-tree-encoding (.gitattributes) are left out if the attribute has no value, or if more than 100 of them, or one whose name is not UTF-8, do not have this encoding. All other changes were saved, apart from files that git ignores, and pipes and sockets. To keep this work, resume the run and ask the agent to put it on the run's branch, or to push it elsewhere. Otherwise it is deleted with the checkout.",
  );
});
