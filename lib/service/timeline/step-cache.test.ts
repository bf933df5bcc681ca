import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { EntryStore } from "#lib/store/entries/entry-store.ts";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import type { Store } from "#lib/store/store.ts";
import { makeStoreFolder } from "#lib/store-folder.fixture.ts";
import { StepCache } from "./step-cache.ts";

const access = { organizationId: 1, userId: 1 };

/** A store with an external run, a function that reports steps at these seconds, and the number of facts read. */
async function openRun(t: { after(fn: () => Promise<void>): void }) {
  const folder = await makeStoreFolder("errand-steps-");
  const store = await openStore({ file: join(folder, "errand.db") });
  t.after(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });
  await store.organizations.ensureFirst({ organization: "Home", fullName: "Owner", email: null });
  const make = async () => (await store.runs.create(access, { ...plainRun("Told"), agent: "external" })).id;
  const tell = async (runId: number, seconds: readonly number[]) => {
    const entries = seconds.map((second) => ({
      created_at: new Date(second * 1000).toISOString(),
      message_type: "ACTION" as const,
      thought: null,
      tool_name: "shell",
      tool_call_id: null,
      tool_input: {},
      tool_output: { duration_ms: second },
      observation: null,
    }));
    await store.external.append(access, runId, entries);
  };
  let read = 0;
  const facts: EntryStore["facts"] = async (...asked) => {
    const found = await store.entries.facts(...asked);
    read += found.count;
    return found;
  };
  const counted: Store = { ...store, entries: { ...store.entries, facts } };
  return { counted, make, tell, readCount: () => read };
}

const secondsOf = ({ times, count }: { times: Float64Array; count: number }) =>
  Array.from(times.subarray(0, count), (ms) => ms / 1000);

test("a growing run is read once, by however many concurrent readers, and earlier results stay what they were", async (t) => {
  const { counted, make, tell, readCount } = await openRun(t);
  const kept = new StepCache(counted);
  const runId = await make();
  assert.equal((await kept.of(access, runId, 0)).count, 0);
  await tell(runId, [1, 2, 3]);
  const first = await kept.of(access, runId, 3);
  assert.deepEqual([secondsOf(first), first.order], [[1, 2, 3], null]);
  await tell(runId, [9, 5]);
  const answers = await Promise.all([5, 4, 5].map((total) => kept.of(access, runId, total)));
  for (const steps of answers) {
    assert.deepEqual(
      [secondsOf(steps), [...(steps.order ?? [])]],
      [
        [1, 2, 3, 9, 5],
        [0, 1, 2, 4, 3],
      ],
    );
  }
  assert.deepEqual(
    [secondsOf(first), [...first.durations.subarray(0, 3)]],
    [
      [1, 2, 3],
      [1, 2, 3],
    ],
  );
  assert.equal(readCount(), 5);
});

test("runs that were not requested lately are dropped", async (t) => {
  const { counted, make, tell, readCount } = await openRun(t);
  const kept = new StepCache(counted, 5);
  const [one, other] = [await make(), await make()];
  await tell(one, [1, 2, 3]);
  await tell(other, [1, 2, 3]);
  for (const runId of [one, other, other, one]) await kept.of(access, runId, 3);
  assert.equal(readCount(), 9);
});
