import assert from "node:assert/strict";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { blockOf, bytesInBlock, countInBlock, packBlock, unpackBlock } from "./block.ts";
import { failWithoutIndex } from "./index-failure.fixture.ts";
import { IndexReader } from "./index-reader.ts";
import { type IndexedBlock, IndexTakenError, openSearchIndex } from "./index-writer.ts";

async function newIndex(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), "errand-index-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "search.db");
  const clock = { ms: 1000 };
  const index = openSearchIndex(file, () => clock.ms);
  const reader = new IndexReader(file, failWithoutIndex);
  t.after(() => {
    reader.close();
    index.close();
  });
  return { index, reader, clock, file };
}

function block(runId: number, firstSeq: number, texts: string[], isOpen = false): IndexedBlock {
  const lastSeq = firstSeq + texts.length - 1;
  const bytes = texts.map((text) => Buffer.from(text));
  return { runId, firstSeq, lastSeq, lastAt: 0, isOpen, block: blockOf(bytes) };
}

/** Entries of a run in the index, read as one state. */
function entriesOf(reader: IndexReader, runId: number): [number, string][] {
  return reader.read((view) => {
    if (view === null) return [];
    const found: [number, string][] = [];
    for (const { firstSeq, held } of view.entries(runId, 1, view.indexed(runId), view.filterWords([]))) {
      const own = held?.read();
      if (own === undefined) continue;
      for (const place of own.ends.keys()) found.push([firstSeq + place, bytesInBlock(own, place).toString()]);
    }
    return found;
  });
}

test("a write is complete or absent, and a block that does not follow the indexed ones changes nothing", async (t) => {
  const { index, reader } = await newIndex(t);
  assert.equal(index.claim("me", 100), "new");
  index.write("me", [block(1, 1, ["a", "b"]), block(1, 3, ["c"], true), block(2, 1, ["x"], true)]);
  const written: [number, string][] = [
    [1, "a"],
    [2, "b"],
    [3, "c"],
  ];
  assert.deepEqual(entriesOf(reader, 1), written);
  for (const wrong of [block(1, 4, ["d"]), block(1, 2, ["b", "c", "d"]), block(1, 3, []), block(3, 2, ["z"])]) {
    assert.throws(() => index.write("me", [block(2, 1, ["x", "y"]), wrong]), /do not follow/);
  }
  assert.deepEqual(entriesOf(reader, 1), written);
  assert.deepEqual(entriesOf(reader, 2), [[1, "x"]]);
  index.write("me", [block(1, 3, ["c", "d"]), block(2, 1, ["x", "y"], true)]);
  assert.deepEqual(entriesOf(reader, 1), [...written, [4, "d"]]);
  assert.deepEqual(
    index.tails().map(({ runId, firstSeq, lastSeq, texts }) => [runId, firstSeq, lastSeq, texts.join(" ")]),
    [[2, 1, 2, "x y"]],
  );
  index.forget("me", [1]);
  assert.deepEqual(entriesOf(reader, 1), []);
  assert.deepEqual(index.progress(), [{ runId: 2, indexedSeq: 2, lastAt: 0 }]);
});

test("an index of another version makes room for a new one before that takes any", async (t) => {
  const { index, reader, file } = await newIndex(t);
  index.claim("me", 100);
  index.write("me", [block(1, 1, ["a", "b"])]);
  const database = new DatabaseSync(file);
  database.exec(
    "insert into texts values (1000, zeroblob(8000000)); pragma user_version = 5; pragma wal_checkpoint(truncate)",
  );
  database.close();
  assert.ok((await stat(file)).size > 8_000_000);
  const next = openSearchIndex(file);
  t.after(() => next.close());
  assert.deepEqual([next.progress(), entriesOf(reader, 1)], [[], []]);
  const sizes = await Promise.all([file, `${file}-wal`].map(async (name) => (await stat(name)).size));
  assert.ok(
    sizes.every((size) => size < 1_000_000),
    sizes.join(),
  );
  assert.deepEqual([(await stat(file)).mode & 0o777, next.claim("me", 100)], [0o600, "new"]);
});

test("only the owner of the lease writes, and another takes it when it has ended", async (t) => {
  const { index, clock } = await newIndex(t);
  assert.throws(() => index.write("me", [block(1, 1, ["a"])]), IndexTakenError);
  assert.deepEqual(
    [index.claim("me", 100), index.claim("me", 100), index.claim("you", 100)],
    ["new", "kept", "refused"],
  );
  clock.ms += 101;
  assert.equal(index.claim("you", 100), "new");
  assert.throws(() => index.write("me", [block(1, 1, ["a"])]), IndexTakenError);
  assert.throws(() => index.forget("me", [1]), IndexTakenError);
  index.write("you", [block(1, 1, ["a"])]);
});

test("a block is read back as it was written, and counting stays within the given part", () => {
  const texts = ["", "needle", "", "a needle and a needle", "need", "le needlele", ""];
  const { text, ends } = unpackBlock(packBlock(blockOf(texts.map((each) => Buffer.from(each)))));
  assert.deepEqual(
    texts.map((_, place) => bytesInBlock({ text, ends }, place).toString()),
    texts,
  );
  for (const [part, expected] of [
    ["needle", [0, 1, 0, 2, 0, 1, 0]],
    ["le", [0, 1, 0, 2, 0, 3, 0]],
    ["e", [0, 3, 0, 6, 2, 5, 0]],
    ["x", [0, 0, 0, 0, 0, 0, 0]],
  ] as const) {
    for (let from = 0; from < texts.length; from += 1) {
      for (let to = from; to < texts.length; to += 1) {
        const counts = texts.map(() => 0);
        countInBlock({ text, ends }, Buffer.from(part), { from, to }, (place, count) => {
          counts[place] = count;
        });
        assert.deepEqual(
          counts,
          expected.map((count, place) => (place < from || place > to ? 0 : count)),
        );
      }
    }
  }
});
