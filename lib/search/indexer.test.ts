// Tier: rest
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { foldCase } from "#lib/entry/fold-case.ts";
import { messages, openFixture } from "#lib/store/conformance.fixture.ts";
import { entryId } from "#lib/store/entries/entry-id.ts";
import { openEntrySource } from "#lib/store/entries/entry-source.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import { makeStoreFolder } from "#lib/store-folder.fixture.ts";
import { looked, mixedEntries, needles } from "./find-entries.fixture.ts";
import { failWithoutIndex } from "./index-failure.fixture.ts";
import { IndexTakenError, openSearchIndex } from "./index-writer.ts";
import { SearchIndexer } from "./indexer.ts";
import { openSearchReader } from "./log-reader.ts";

const sumOf = (hits: { matches: number }[]) => hits.reduce((sum, { matches }) => sum + matches, 0);

/** A store with an indexer on a clock that is moved by hand; `reader` reads both. */
async function openIndexed(t: TestContext) {
  const folder = await makeStoreFolder("errand-index-");
  t.after(() => rm(folder, { recursive: true, force: true }));
  const files = { storeFile: join(folder, "errand.db"), indexFile: join(folder, "search.db") };
  const fixture = await openFixture(t, (now) => openStore({ file: files.storeFile, now }));
  let nowMs = 1_000_000;
  const start = (owner = "one") => {
    const source = openEntrySource(files.storeFile);
    const index = openSearchIndex(files.indexFile, () => nowMs);
    t.after(() => {
      source.close();
      index.close();
    });
    const indexer = new SearchIndexer({ source, index, owner, now: () => nowMs });
    return {
      indexer,
      /** Works until nothing is left to do, now and after `ms`. */
      settle(ms = 1000) {
        while (indexer.step());
        nowMs += ms;
        while (indexer.step());
      },
    };
  };
  const scan = (runId: number, q: string, first: number, last: number) => {
    const reader = openSearchReader(files, failWithoutIndex);
    const { upto, seqs, matches, indexed } = reader.scan({ runId, needle: foldCase(q), first, last }, 60_000);
    reader.close();
    assert.equal(upto, last);
    return { found: [...seqs], matches, indexed };
  };
  const assertFound = (runId: number, entries: NewEntry[], range = { first: 1, last: entries.length }) => {
    for (const q of needles) {
      const expected = looked(entries, q).filter(({ seq }) => seq >= range.first && seq <= range.last);
      const { found, matches } = scan(runId, q, range.first, range.last);
      assert.deepEqual([found, matches], [expected.map(({ seq }) => seq), sumOf(expected)], q);
    }
  };
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { ...fixture, files, start, scan, assertFound, pass };
}

test("the index finds what looking at every entry finds, in any part of a run", async (t) => {
  const { store, startRun, start, scan, assertFound } = await openIndexed(t);
  const { lease, run } = await startRun();
  const other = await startRun();
  const entries = mixedEntries(900, 11);
  const { settle } = start();
  for (let from = 0, size = 1; from < entries.length; from += size, size = (size * 5) % 97) {
    await store.queue.append(lease, entries.slice(from, from + size));
    await store.queue.append(other.lease, messages(2));
    settle();
  }
  assert.equal(scan(run.id, "a", 1, 900).indexed, 900);
  assertFound(run.id, entries);
  for (const [first, last] of [
    [1, 1],
    [64, 65],
    [100, 500],
    [333, 900],
    [900, 900],
  ] as const) {
    assertFound(run.id, entries, { first, last });
  }
});

test("a partly indexed run is searched completely, and a run that ended is indexed to its end", async (t) => {
  const { store, startRun, finish, start, scan, assertFound, files } = await openIndexed(t);
  const { lease, run } = await startRun();
  const entries = mixedEntries(300, 3);
  const { settle } = start();
  assertFound(run.id, []);
  await store.queue.append(lease, entries.slice(0, 100));
  assertFound(run.id, entries.slice(0, 100));
  settle();
  await store.queue.append(lease, entries.slice(100));
  assert.equal(scan(run.id, "a", 1, 300).indexed, 100);
  assertFound(run.id, entries);
  await finish(lease);
  settle();
  assert.equal(scan(run.id, "a", 1, 301).indexed, 301);
  assertFound(run.id, entries);
  const database = new DatabaseSync(files.indexFile);
  assert.equal(database.prepare("select count(*) as n from tails").get()?.n, 0);
  database.close();
});

test("many blocks make groups, and their text is found as before", async (t) => {
  const { store, startRun, start, scan, files } = await openIndexed(t);
  const { lease, run } = await startRun();
  const total = 64 * 300;
  for (let from = 0; from < total; from += 1200) {
    await store.queue.append(lease, messages(total).slice(from, from + 1200));
  }
  start().settle();
  const database = new DatabaseSync(files.indexFile);
  assert.equal(database.prepare("select count(*) as n from vocabularies").get()?.n, 1);
  database.close();
  assert.deepEqual(scan(run.id, "message 7777", 1, total).found, [7777]);
  assert.deepEqual(scan(run.id, "message 19000", 1, total).found, [19_000]);
  for (const q of ["99", "message", "9 9", "e 1", "ssage"]) {
    const expected = looked(messages(total), q);
    const { found, matches } = scan(run.id, q, 1, total);
    assert.deepEqual([found, matches], [expected.map(({ seq }) => seq), sumOf(expected)], q);
  }
  assert.equal(scan(run.id, "not there", 1, total).found.length, 0);
});

test("a text in most entries is counted from the codes of a block as from its text", async (t) => {
  const { store, startRun, start, scan, files } = await openIndexed(t);
  const { lease, run } = await startRun();
  const entries = messages(300).map((entry, index) => ({
    ...entry,
    observation: `${"The lease renews: réleases, 世界 lease_1 ".repeat(1 + (index % 9))}${index} ${index % 3 === 0 ? "rare" : ""}`,
  }));
  await store.queue.append(lease, entries);
  start().settle();
  const database = new DatabaseSync(files.indexFile);
  assert.equal(database.prepare("select count(*) as n from texts").get()?.n, 4);
  database.close();
  for (const q of [
    "lease",
    "THE",
    "e",
    "es",
    "ee",
    "世",
    "é",
    "rare",
    "12",
    "1",
    "lease_1",
    "s 世",
    "none",
    "ases",
    "the lease",
    "E lease ren",
    "s: réleases, 世",
  ]) {
    for (const [first, last] of [
      [1, 300],
      [30, 200],
      [65, 128],
    ] as const) {
      const expected = looked(entries, q).filter(({ seq }) => seq >= first && seq <= last);
      const { found, matches } = scan(run.id, q, first, last);
      assert.deepEqual([found, matches], [expected.map(({ seq }) => seq), sumOf(expected)], q);
    }
  }
});

test("a new engine continues where the last one stopped, and only one engine writes at a time", async (t) => {
  const { store, startRun, start, scan, assertFound, pass } = await openIndexed(t);
  const { lease, run } = await startRun();
  const entries = mixedEntries(200, 7);
  const first = start("one");
  await store.queue.append(lease, entries.slice(0, 90));
  first.settle();
  const second = start("two");
  assert.throws(() => second.indexer.step(), IndexTakenError);
  pass(60_000);
  await store.queue.append(lease, entries.slice(90));
  second.settle();
  assert.equal(scan(run.id, "a", 1, 200).indexed, 200);
  assertFound(run.id, entries);
  pass(60_000);
  assert.throws(() => first.indexer.step(), IndexTakenError);
});

test("an index of another store's entries is rebuilt, and so is one of another version", async (t) => {
  const { store, startRun, start, scan, assertFound, files, pass } = await openIndexed(t);
  const { lease, run } = await startRun();
  const entries = mixedEntries(150, 9);
  await store.queue.append(lease, mixedEntries(150, 10));
  start("one").settle();
  const database = new DatabaseSync(files.storeFile);
  database.exec("delete from entries; delete from entry_blocks; update runs set total_logs = 0");
  database.close();
  const made = entries.map((entry) => ({ ...entry, created_at: "2026-02-02T00:00:00.000Z" }));
  await store.queue.append(lease, made);
  pass(60_000);
  start("two").settle();
  assertFound(run.id, made);
  const old = new DatabaseSync(files.indexFile);
  old.exec("pragma user_version = 99");
  old.close();
  assert.equal(scan(run.id, "a", 1, 150).indexed, 0);
  assertFound(run.id, made);
  start("three").settle();
  assert.equal(scan(run.id, "a", 1, 150).indexed, 150);
  assertFound(run.id, made);
});

test("a deleted run leaves the index within ten seconds, even while its newest entries wait", async (t) => {
  const { store, access, startRun, finish, start, files, assertFound, pass } = await openIndexed(t);
  const { settle } = start();
  const [one, other] = [await startRun(), await startRun()];
  const entries = mixedEntries(150, 5);
  for (const { lease } of [one, other]) await store.queue.append(lease, entries);
  settle();
  await finish(one.lease);
  await store.removals.removeRun(access, one.run.id);
  pass(10_000);
  settle();
  const index = new DatabaseSync(files.indexFile);
  for (const table of ["progress", "blocks", "tails"]) {
    const rows = index.prepare(`select distinct run_id as id from ${table}`).all();
    assert.deepEqual(
      rows.map(({ id }) => id),
      [other.run.id],
      table,
    );
  }
  index.close();
  assertFound(other.run.id, entries);
});

test("a run deleted before the index has reached it leaves nothing to do, and so does one whose entries are missing", async (t) => {
  const { store, access, startRun, finish, start, files, scan } = await openIndexed(t);
  const [deleted, damaged] = [await startRun(), await startRun()];
  for (const { lease } of [deleted, damaged]) await store.queue.append(lease, messages(3));
  const large = mixedEntries(12, 1).map((entry) => ({ ...entry, observation: "x".repeat(200_000) }));
  const newer = await Promise.all(Array.from({ length: 5 }, () => startRun()));
  for (const { lease } of newer) {
    await store.queue.append(lease, large);
  }
  for (const { lease } of [deleted, damaged, ...newer]) await finish(lease);
  const { indexer } = start();
  assert.equal(indexer.step(), true, "the newer runs are read first, and are more than one step reads");
  await store.removals.removeRun(access, deleted.run.id);
  const database = new DatabaseSync(files.storeFile);
  database.exec(`delete from entries where id between ${entryId(damaged.run.id, 1)} and ${entryId(damaged.run.id, 4)}`);
  database.close();
  for (let steps = 1; indexer.step(); steps += 1) assert.ok(steps < 50, "the indexer never rests");
  for (const { run } of newer) assert.equal(scan(run.id, "a", 1, 13).indexed, 13);
});

test("killed at any moment, the index never says anything wrong, and the next engine completes it", async (t) => {
  const { store, startRun, start, scan, assertFound, files, pass } = await openIndexed(t);
  const { lease, run } = await startRun();
  const entries = mixedEntries(1200, 21);
  for (let round = 1; round <= 6; round += 1) {
    const program = join(import.meta.dirname, "indexer-under-test.ts");
    const child = spawn(process.execPath, [program, files.storeFile, files.indexFile, String(round)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const gone = once(child, "exit");
    t.after(() => child.kill("SIGKILL"));
    await once(child.stdout, "data");
    for (let part = 0; part < 20; part += 1) {
      const from = (round - 1) * 200 + part * 10;
      await store.queue.append(lease, entries.slice(from, from + 10));
    }
    // By then at the latest it is in the middle of its work.
    const until = Date.now() + 30_000;
    while (scan(run.id, "a", 1, 1).indexed <= (round - 1) * 200) assert.ok(Date.now() < until);
    child.kill("SIGKILL");
    assert.deepEqual(await gone, [null, "SIGKILL"]);
    assertFound(run.id, entries.slice(0, round * 200));
  }
  pass(100 * 86_400_000);
  start("last").settle();
  assert.equal(scan(run.id, "a", 1, 1200).indexed, 1200);
  assertFound(run.id, entries);
  await rm(files.indexFile);
  assert.equal(scan(run.id, "a", 1, 1200).indexed, 0);
  assertFound(run.id, entries);
});

test("nobody but the owner of the service can read the index", async (t) => {
  const { start, files } = await openIndexed(t);
  start().settle();
  assert.equal((await stat(files.indexFile)).mode & 0o777, 0o600);
});
