// Tier: rest
import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { foldCase } from "#lib/entry/fold-case.ts";
import { messages, openFixture } from "#lib/store/conformance.fixture.ts";
import { openEntrySource } from "#lib/store/entries/entry-source.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import { makeStoreFolder } from "#lib/store-folder.fixture.ts";
import { mixedEntries, needles } from "./find-entries.fixture.ts";
import { openFindThreads } from "./find-threads.ts";
import { openFormatReader, type Part } from "./format-reader.fixture.ts";
import { failWithoutIndex } from "./index-failure.fixture.ts";
import { searchVersion } from "./index-file.ts";
import { openSearchIndex } from "./index-writer.ts";
import { SearchIndexer } from "./indexer.ts";

const parts: Part[] = ["words", "signs", "coded", "coded as it is", "plain", "tail"];

test("a reader written from FORMAT.md alone finds what the product finds, through every part of the format", async (t) => {
  const folder = await makeStoreFolder("errand-format-");
  t.after(() => rm(folder, { recursive: true, force: true }));
  const files = { storeFile: join(folder, "errand.db"), indexFile: join(folder, "search.db") };
  const { store, startRun } = await openFixture(t, (now) => openStore({ file: files.storeFile, now }));
  let now = 1_000_000;
  const source = openEntrySource(files.storeFile);
  const index = openSearchIndex(files.indexFile, () => now);
  const indexer = new SearchIndexer({ source, index, owner: "format", now: () => now });
  const settle = () => {
    while (indexer.step());
    now += 1000;
    while (indexer.step());
  };

  const mixed = await startRun();
  const long = await startRun();
  const repeats = "the lease renews and the lease ends; ".repeat(400);
  // More than a group of blocks; some have repetitive text and others do not.
  const many = messages(64 * 257).map((entry, place) => (place < 128 ? { ...entry, observation: repeats } : entry));
  await store.queue.append(mixed.lease, mixedEntries(300, 31));
  for (let from = 0; from < many.length; from += 1000) {
    await store.queue.append(long.lease, many.slice(from, from + 1000));
    settle();
  }
  // The last entries stay in the tails of the runs when the engine ends.
  await store.queue.append(
    long.lease,
    messages(330).map((entry) => ({ ...entry, observation: repeats })),
  );
  await store.queue.append(mixed.lease, mixedEntries(10, 32));
  for (let step = 0; step < 3; step += 1) indexer.step();
  indexer.finish();
  index.close();
  source.close();

  const seen = new Set<Part>();
  const reader = openFormatReader(files.indexFile, (part) => seen.add(part));
  t.after(() => reader.close());
  const head = await readFile(files.indexFile);
  assert.deepEqual([head.readUInt32BE(60), head.toString("latin1", 68, 72)], [searchVersion, "Erix"]);
  const product = openFindThreads(files, failWithoutIndex);
  t.after(() => product.close());
  const totals = [
    [mixed.run.id, 310],
    [long.run.id, many.length + 330],
  ] as const;
  const queries = [
    ...needles,
    "message 7777",
    "message 16400",
    "ssage",
    "99",
    "9 9",
    "lease ends; the",
    "le",
    "e",
    "; ",
    ";",
    ".",
    " ",
  ];
  for (const [runId, last] of totals) {
    for (const q of queries) {
      const { indexed, seqs, matches } = await product.scan({ runId, needle: foldCase(q), first: 1, last }, 60_000);
      assert.equal(indexed, last);
      assert.deepEqual(reader.search(runId, q), { seqs: [...seqs], matches }, q);
    }
  }
  assert.deepEqual([...seen].sort(), parts.sort());
});

test("FORMAT.md describes the version that is written", async () => {
  const page = await readFile(join(import.meta.dirname, "FORMAT.md"), "utf8");
  assert.ok(page.includes(`This page describes version ${searchVersion} completely`));
});
