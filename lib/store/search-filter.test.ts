import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { blockOf, countInBlock } from "./search-block.ts";
import { type IndexedBlock, openSearchIndex } from "./search-index.ts";
import { IndexReader } from "./search-index-reader.ts";
import { groupBlocks } from "./search-slices.ts";
import { isInsideWords } from "./search-words.ts";

const vocabulary = "lease leases release cursor retry größe 世界 a ab step 7001 700123 12 x1 the then".split(" ");
const needles = [
  ...["lease", "e", "ease", "7001", "1", "ß", "世", "none", "thethe", "ab"],
  ...["lease cursor", "e c", "release, the", "--step 7001", "step 700123", " a ", ": ", "the", "世界 lease", "x1\n"],
  ...["retry retry", "none of it", "700123 none", "größe/12", " 7", "7 "],
];

/** Blocks of a few entries each; those of every seventh are unlike any other, so that their words are not kept. */
function blocksOf(count: number): IndexedBlock[] {
  let state = 7;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  const word = () => vocabulary[random(1 + random(vocabulary.length))] ?? "a";
  const between = () => [" ", " ", " ", ", ", ": ", "/", "\n", " --"][random(8)] ?? " ";
  const texts = (block: number) =>
    Array.from({ length: 1 + random(64) }, (_, entry) =>
      Buffer.from(
        block % 7 === 6
          ? `unlike ${block} lease cursor ${entry}`
          : Array.from({ length: 40 }, () => `${word()}${between()}`).join(""),
      ),
    );
  let seq = 1;
  return Array.from({ length: count }, (_, block) => {
    const own = texts(block);
    const firstSeq = seq;
    seq += own.length;
    return { runId: 1, firstSeq, lastSeq: seq - 1, lastAt: 0, isOpen: false, block: blockOf(own) };
  });
}

async function newIndex(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), "errand-index-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "search.db");
  const open = () => {
    const index = openSearchIndex(file, () => 0);
    index.claim("me", 100);
    return index;
  };
  const count = (table: string) => {
    const database = new DatabaseSync(file);
    const row = database.prepare(`select count(*) as n from ${table}`).get();
    database.close();
    return Number(row?.n);
  };
  return { file, open, count };
}

/** That the index says of every block what its text says, or says that it has to be read. Gives how many it could count. */
function assertTold(file: string, blocks: readonly IndexedBlock[], text: string): { counted: number; read: number } {
  const needle = Buffer.from(text);
  const reader = new IndexReader(file);
  const told = { counted: 0, read: 0 };
  reader.read((view) => {
    assert.ok(view !== null);
    const filter = view.filterText(needle);
    for (const [index, { block }] of blocks.entries()) {
      const found = { matches: 0, low: 0, high: 0 };
      countInBlock(block, needle, { from: 0, to: block.ends.length - 1 }, (place, count) => {
        found.matches += count;
        if (place < 32) found.low |= 1 << place;
        else found.high |= 1 << (place - 32);
      });
      const may = filter.may(index + 1);
      if (found.matches > 0) assert.ok(may, `${text} in block ${index + 1}`);
      if (!may) continue;
      const counted = filter.count(index + 1);
      if (counted === null) told.read += 1;
      else {
        assert.deepEqual(counted, found, `${text} in block ${index + 1}`);
        told.counted += 1;
      }
    }
  });
  reader.close();
  return told;
}

test("what the words of a group say of a text is what the text of its blocks says", async (t) => {
  const { file, open, count } = await newIndex(t);
  const blocks = blocksOf(groupBlocks + 40);
  const index = open();
  index.write("me", blocks);
  for (const text of needles) assert.equal(assertTold(file, blocks, text).counted, 0, text);
  while (index.addWords("me", 16));
  assert.deepEqual([count("vocabularies"), count("words")], [1, 40]);
  for (const text of needles) {
    const { counted, read } = assertTold(file, blocks, text);
    if (!isInsideWords(Buffer.from(text))) assert.equal(counted, 0, text);
    else if (text !== "none" && text !== "thethe") assert.ok(counted > read, text);
  }
  index.close();
  assert.equal(assertTold(file, blocks, "700123 none").read, 0);
});

test("an index without words of groups is kept, and gets them", async (t) => {
  const { file, open, count } = await newIndex(t);
  const blocks = blocksOf(groupBlocks + 3);
  const index = open();
  index.write("me", blocks);
  index.close();
  const old = new DatabaseSync(file);
  old.exec("drop table vocabularies; drop table word_places; pragma user_version = 2");
  old.close();
  const later = open();
  assert.deepEqual([count("blocks"), count("vocabularies")], [blocks.length, 0]);
  while (later.addWords("me", 16));
  assert.equal(count("vocabularies"), 1);
  later.close();
  for (const text of needles) assertTold(file, blocks, text);
});

test("a run that is taken out leaves the words of the others", async (t) => {
  const { file, open, count } = await newIndex(t);
  const blocks = blocksOf(groupBlocks + 3).map((each, index) => (index === 100 ? { ...each, runId: 2 } : each));
  // Every run begins with its first entry.
  let seq = 1;
  for (const each of blocks) {
    const { length } = each.block.ends;
    each.firstSeq = each.runId === 2 ? 1 : seq;
    each.lastSeq = each.firstSeq + length - 1;
    if (each.runId === 1) seq += length;
  }
  const index = open();
  index.write("me", blocks);
  index.forget("me", 2);
  while (index.addWords("me", 16));
  index.close();
  assert.equal(count("vocabularies"), 1);
  const others = blocks.map((each) => (each.runId === 1 ? each : { ...each, block: blockOf([]) }));
  for (const text of needles) assertTold(file, others, text);
});
