import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { messages, openFixture } from "#lib/store/conformance.fixture.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import { makeStoreFolder } from "#lib/store-folder.fixture.ts";
import { openFindThreads } from "./find-threads.ts";
import { failWithoutIndex } from "./index-failure.fixture.ts";

test("an unreadable store is reported to each caller, and later questions are answered again", async (t) => {
  const folder = await makeStoreFolder("errand-threads-");
  t.after(() => rm(folder, { recursive: true, force: true }));
  const files = { storeFile: join(folder, "errand.db"), indexFile: join(folder, "search.db") };
  const threads = openFindThreads(files, failWithoutIndex);
  t.after(() => threads.close());
  const ask = () => threads.scan({ runId: 1, needle: "message", first: 1, last: 3 }, 1000);
  await assert.rejects(ask(), /unable to open database file/);
  const { store, startRun } = await openFixture(t, (now) => openStore({ file: files.storeFile, now }));
  await store.queue.append((await startRun()).lease, messages(3));
  const answers = await Promise.all(Array.from({ length: 10 }, ask));
  for (const { seqs } of answers) assert.deepEqual([...seqs], [1, 2, 3]);
  await threads.close();
  await assert.rejects(ask(), /closed/);
});
