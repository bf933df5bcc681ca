// Tier: rest
import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { foldCase } from "#lib/entry/fold-case.ts";
import { messages, openFixture } from "#lib/store/conformance.fixture.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import { makeStoreFolder } from "#lib/store-folder.fixture.ts";
import { blockOf, packBlock } from "./block.ts";
import { looked, mixedEntries, needles } from "./find-entries.fixture.ts";
import { openFindThreads } from "./find-threads.ts";
import { failWithoutIndex } from "./index-failure.fixture.ts";
import { readIndexProgress } from "./index-progress.ts";
import { startSearchIndexing } from "./indexing.ts";
import { openSearchReader } from "./log-reader.ts";

/** A store with a run; `start` starts a thread that indexes it, `indexed` waits until it has indexed that many entries. */
async function openIndexing(t: TestContext) {
  const folder = await makeStoreFolder("errand-indexing-");
  t.after(() => rm(folder, { recursive: true, force: true }));
  const files = { storeFile: join(folder, "errand.db"), indexFile: join(folder, "search.db") };
  const { store, startRun } = await openFixture(t, (now) => openStore({ file: files.storeFile, now }));
  const { lease, run } = await startRun();
  const warned: object[] = [];
  const log = (fields: object) => void warned.push(fields);
  const start = () => {
    const indexing = startSearchIndexing({ ...files, engineId: "test" }, { warn: log, error: log });
    t.after(() => indexing.stop());
    return indexing;
  };
  const indexed = async (count: number) => {
    const until = Date.now() + 30_000;
    while (readIndexProgress(files)?.indexed !== count) {
      assert.ok(Date.now() < until, JSON.stringify(warned));
      await wait(20);
    }
  };
  return { files, store, lease, run, warned, start, indexed };
}

test("an index that is deleted while it is written is made again", async (t) => {
  const { files, store, lease, warned, start, indexed } = await openIndexing(t);
  await store.queue.append(lease, messages(100));
  start();
  await indexed(100);
  for (const side of ["", "-wal", "-shm"]) await rm(`${files.indexFile}${side}`, { force: true });
  await store.queue.append(lease, messages(20));
  await indexed(120);
  assert.deepEqual(warned, []);
});

test("the engine indexes appended entries, and rebuilds a damaged index, also one with a single damaged row", async (t) => {
  const { files, store, lease, warned, start, indexed } = await openIndexing(t);
  await store.queue.append(lease, messages(100));
  await writeFile(files.indexFile, "this is no database, and longer than the head of one would be".repeat(20));
  const indexing = start();
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
  start();
  await indexed(125);
  assert.equal(warned.length, 2);
});

test("an index that cannot be read does not change what is found, and is reported at most once a minute", async (t) => {
  const { files, store, lease, run, start, indexed } = await openIndexing(t);
  await store.queue.append(lease, messages(100));
  const indexing = start();
  await indexed(100);
  await indexing.stop();
  const database = new DatabaseSync(files.indexFile);
  database.exec("update tails set text = x'0000000000'");
  database.close();
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() });
  const failures: string[] = [];
  const threads = openFindThreads(files, (reason) => failures.push(reason));
  t.after(() => threads.close());
  const search = async () => {
    const { seqs } = await threads.scan({ runId: run.id, needle: "message", first: 1, last: 100 }, 60_000);
    assert.equal(seqs.length, 100);
  };
  // In two threads.
  await Promise.all([search(), search()]);
  assert.equal(failures.length, 1);
  assert.match(failures[0] ?? "", /unpackBlock/);
  t.mock.timers.tick(60_000);
  const until = performance.now() + 30_000;
  while (failures.length === 1 && performance.now() < until) await search();
  assert.equal(failures.length, 2);
});

/** Makes an index look like one of an older version. */
const downgrades = new Map([
  [2, "drop table vocabularies; drop table token_places; create table words (id, words)"],
  [3, "create table grams (id, bits); create table words (id, words)"],
  [4, "create table grams (id, bits); create table slices (id, bits); create table codes (id, text)"],
  [5, "create table grams (id, bits); alter table texts rename to codes; create table texts (id, text)"],
]);
const nothing = Buffer.from(packBlock(blockOf([]))).toString("hex");

for (const [version, downgrade] of downgrades) {
  test(`an index of version ${version} is not read but made again, and everything is found meanwhile and then`, async (t) => {
    const { files, store, lease, run, warned, start, indexed } = await openIndexing(t);
    const entries = mixedEntries(2000, version);
    await store.queue.append(lease, entries);
    const reader = openSearchReader(files, failWithoutIndex);
    t.after(() => reader.close());
    const assertFound = (q: string) => {
      const scanned = reader.scan({ runId: run.id, needle: foldCase(q), first: 1, last: entries.length }, 60_000);
      const expected = looked(entries, q);
      assert.deepEqual(
        [...scanned.seqs],
        expected.map(({ seq }) => seq),
        q,
      );
      assert.equal(
        scanned.matches,
        expected.reduce((sum, { matches }) => sum + matches, 0),
        q,
      );
    };
    const tables = () => {
      const database = new DatabaseSync(files.indexFile);
      const names = database.prepare("select name from sqlite_schema where type = 'table' order by name").all();
      database.close();
      return names.map(({ name }) => name);
    };
    const first = start();
    await indexed(entries.length);
    await first.stop();
    const made = tables();
    const database = new DatabaseSync(files.indexFile);
    // What it says is wrong: according to it, nothing occurs anywhere.
    for (const table of ["texts", "tails"]) database.exec(`update ${table} set text = x'${nothing}'`);
    database.exec(`${downgrade}; pragma user_version = ${version}`);
    database.close();
    assert.equal(readIndexProgress(files), null);
    for (const q of needles) assertFound(q);
    start();
    const until = Date.now() + 30_000;
    for (let at = 0; readIndexProgress(files)?.indexed !== entries.length; at += 1) {
      assert.ok(Date.now() < until, JSON.stringify(warned));
      assertFound(needles[at % needles.length] ?? "a");
      await wait(0);
    }
    for (const q of needles) assertFound(q);
    assert.deepEqual(tables(), made);
    assert.deepEqual(warned, []);
  });
}
