// Tier: rest
import assert from "node:assert/strict";
import { test } from "node:test";
import { sh } from "#lib/engine/engine.fixture.ts";
import type { RunRow } from "#lib/store/store.ts";
import { git } from "#lib/workspace/test-repository.ts";
import { openPulls, writes } from "./pulls.fixture.ts";

test("a pushed branch is never shown as not opened: not after a round without changes, a refusal, a cancel or a new request", async (t) => {
  const of = await openPulls(t);
  const { store, access, engine } = of;
  const { folder, repository } = await of.addFolder({ test: ["exit 1"] });
  engine.start();
  const run = await of.start(writes("two"), repository.id);
  await of.settle(run.id);
  await of.request(run.id);
  const shown = ({ pull }: RunRow) => [pull?.state, pull?.stage, pull?.verdict];
  assert.deepEqual(shown(await of.settle(run.id)), ["pushed", null, "no_progress"], of.log.join("\n"));
  const branch = `errand/run-${run.id}`;
  const pushed = git(folder, "rev-parse", branch);
  await of.request(run.id);
  assert.deepEqual(shown(await of.settle(run.id, ({ pull }) => pull?.stage === "fixing")).slice(0, 2), [
    "pushed",
    "fixing",
  ]);
  await store.runs.cancel(access, run.id);
  const cancelled = await of.settle(run.id);
  assert.deepEqual(shown(cancelled).slice(0, 2), ["pushed", null]);

  // Work that may not be pushed leaves what was pushed before.
  await store.runs.addTurn(access, run.id, {
    prompt: sh("printf '<<<<<<< a\\n=======\\n>>>>>>> b\\n' > a.txt"),
    images: [],
    model: null,
  });
  await of.settle(run.id);
  await of.request(run.id);
  assert.deepEqual(shown(await of.settle(run.id)), ["pushed", null, "refused"]);
  assert.equal(git(folder, "rev-parse", branch), pushed);

  const never = await of.start(writes("three"), repository.id);
  await of.settle(never.id);
  await of.request(never.id);
  await store.runs.cancel(access, never.id);
  assert.deepEqual(shown(await of.find(never.id)).slice(0, 2), ["failed", null]);
});

test("a check that says nothing before a signal ends it is told with its exit code and signal, in its entry and to the agent", async (t) => {
  const of = await openPulls(t);
  const { repository } = await of.addFolder({ test: ["kill -9 $$", "kill -TERM $$", "exit 127"] });
  of.engine.start();
  const run = await of.start(writes("two"), repository.id);
  await of.settle(run.id);
  await of.request(run.id);
  await of.settle(run.id);
  const found = (await of.entries(run.id)).find(({ message_type }) => message_type === "DETECT_PR_ERRORS");
  const words = ["exited with 137 (SIGKILL)", "exited with 143 (SIGTERM)", "exited with 127"];
  assert.deepEqual(
    Object(found?.observation).checks.map(({ excerpt }: { excerpt: string }) => excerpt),
    words.map((one) => `The command ${one}.`),
  );
  const asked = (await of.entries(run.id)).filter(({ message_type }) => message_type === "USER_MESSAGE");
  const prompt = JSON.stringify(asked.at(-1)?.observation);
  for (const one of words) assert.ok(prompt.includes(`The command ${one}.`), prompt);
});

test("a check that removes the checkout's .git keeps its result, and what it leaves is not in the next turn's commit", async (t) => {
  const of = await openPulls(t);
  const { repository } = await of.addFolder({
    lint: ["rm -rf .git; echo left > left.txt; echo gone; exit 3"],
    test: ["true"],
  });
  await of.putChecks({ check_retry_count: 0 }, repository.id);
  of.engine.start();
  const run = await of.start(writes("two"), repository.id);
  await of.settle(run.id);
  await of.request(run.id);
  const { pull } = await of.settle(run.id);
  assert.deepEqual([pull?.verdict, pull?.checks?.failed, pull?.checks?.passed], ["red", 1, 1], pull?.reason ?? "");
  const found = (await of.entries(run.id)).find(({ message_type }) => message_type === "DETECT_PR_ERRORS");
  assert.match(JSON.stringify(found?.observation), /gone\\n\\nThe command exited with 3\./);
  const { store, access } = of;
  await store.runs.addTurn(access, run.id, { prompt: sh("ls > listed"), images: [], model: null });
  await of.settle(run.id);
  const diff = Buffer.from((await store.runs.findDiff(access, run.id)) ?? []).toString();
  assert.match(diff, /listed/);
  assert.doesNotMatch(diff, /left/);
});
