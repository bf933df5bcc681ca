import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { messages, openFixture } from "#lib/store/conformance-fixture.ts";
import { openStore } from "#lib/store/open-store.ts";
import { makeStoreFolder } from "#lib/store-folder.fixture.ts";
import { readIndexProgress } from "./index-progress.ts";
import { startSearchIndexing } from "./indexing.ts";

test("an index that is deleted while it is written is made again", async (t) => {
  const folder = await makeStoreFolder("errand-indexing-");
  t.after(() => rm(folder, { recursive: true, force: true }));
  const files = { storeFile: join(folder, "errand.db"), indexFile: join(folder, "search.db") };
  const { store, startRun } = await openFixture(t, (now) => openStore({ file: files.storeFile, now }));
  const { lease } = await startRun();
  await store.queue.append(lease, messages(100));
  const warned: object[] = [];
  const log = (fields: object) => void warned.push(fields);
  const indexing = startSearchIndexing({ ...files, engineId: "test" }, { warn: log, error: log });
  t.after(() => indexing.stop());
  const indexed = async (count: number) => {
    const until = Date.now() + 30_000;
    while (readIndexProgress(files)?.indexed !== count) {
      assert.ok(Date.now() < until, JSON.stringify(warned));
      await wait(20);
    }
  };
  await indexed(100);
  for (const side of ["", "-wal", "-shm"]) await rm(`${files.indexFile}${side}`, { force: true });
  await store.queue.append(lease, messages(20));
  await indexed(120);
  assert.deepEqual(warned, []);
});

test("the engine indexes appended entries, and rebuilds a damaged index, also one with a single damaged row", async (t) => {
  const folder = await makeStoreFolder("errand-indexing-");
  t.after(() => rm(folder, { recursive: true, force: true }));
  const files = { storeFile: join(folder, "errand.db"), indexFile: join(folder, "search.db") };
  const { store, startRun } = await openFixture(t, (now) => openStore({ file: files.storeFile, now }));
  const { lease } = await startRun();
  await store.queue.append(lease, messages(100));
  await writeFile(files.indexFile, "this is no database, and longer than the head of one would be".repeat(20));
  const warned: object[] = [];
  const log = (fields: object) => void warned.push(fields);
  const logger = { info: log, warn: log, error: log };
  const indexing = startSearchIndexing({ ...files, engineId: "test" }, logger);
  t.after(() => indexing.stop());
  const indexed = async (count: number) => {
    const until = Date.now() + 30_000;
    while (readIndexProgress(files)?.indexed !== count) {
      assert.ok(Date.now() < until, JSON.stringify(warned));
      await wait(20);
    }
  };
  await indexed(100);
  assert.equal(warned.length, 1);
  await store.queue.append(lease, messages(20));
  await indexed(120);
  await indexing.stop();
  await store.queue.append(lease, messages(5));
  assert.deepEqual(readIndexProgress(files), { indexed: 120, all: 125 });
  const database = new DatabaseSync(files.indexFile);
  database.exec("update tails set text = x'0000000000'; delete from lease");
  database.close();
  const again = startSearchIndexing({ ...files, engineId: "test" }, logger);
  t.after(() => again.stop());
  await indexed(125);
  assert.equal(warned.length, 2);
});
