import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { makeStoreFolder } from "#lib/store-folder.fixture.ts";
import { blockOf, countInBlock } from "./block.ts";
import { phraseOf } from "./code-pattern.ts";
import { failWithoutIndex } from "./index-failure.fixture.ts";
import { IndexReader } from "./index-reader.ts";
import { type IndexedBlock, openSearchIndex } from "./index-writer.ts";
import { groupBlocks, unpackVocabulary } from "./vocabulary.ts";

const vocabulary = "lease leases release cursor retry größe 世界 a ab step 7001 700123 12 x1 the then".split(" ");
const needles = [
  ...["lease", "e", "ease", "7001", "1", "ß", "世", "none", "thethe", "ab"],
  ...["lease cursor", "e c", "release, the", "--step 7001", "step 700123", " a ", ": ", "the", "世界 lease", "x1\n"],
  ...["retry retry", "none of it", "700123 none", "größe/12", " 7", "7 "],
  ...[", ", "-", "--", " ", "  ", "\n", "//", ",", "§"],
];

/** Blocks of a few entries each; some entries have two texts. */
function blocksOf(count: number): IndexedBlock[] {
  let state = 7;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  const word = () => vocabulary[random(1 + random(vocabulary.length))] ?? "a";
  const between = () => [" ", " ", " ", ", ", ": ", "/", "\n", " --", "\0"][random(9)] ?? " ";
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
  const folder = await makeStoreFolder("errand-index-");
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

/**
 * Asserts that what the index says of every block of the run is true of its text. Returns for how many it said so, and how many
 * were read.
 */
function assertTold(file: string, blocks: readonly IndexedBlock[], q: string): { told: number; read: number } {
  const phrase = phraseOf(Buffer.from(q));
  const reader = new IndexReader(file, failWithoutIndex);
  const asked = { told: 0, read: 0 };
  reader.read((view) => {
    assert.ok(view !== null);
    const own = blocks.filter(({ runId }) => runId === 1);
    const filter = view.filterText(phrase);
    let index = 0;
    for (const { held, firstSeq } of view.entries(1, 1, own.at(-1)?.lastSeq ?? 0, filter)) {
      const each = own[index];
      assert.equal(each?.firstSeq, firstSeq);
      index += 1;
      if (each === undefined) continue;
      const found: [number, number][] = [];
      const counted: [number, number][] = [];
      const part = { from: 0, to: each.block.ends.length - 1 };
      countInBlock(each.block, phrase.bytes, part, (place, count) => found.push([place, count]));
      if (held === null) {
        assert.deepEqual(found, [], `${q} in block ${index}`);
        continue;
      }
      held.count(phrase, part, (place, count) => counted.push([place, count]));
      assert.deepEqual(counted, found, `${q} in block ${index}`);
      const told = held.knownCount();
      if (told === null) asked.read += 1;
      else {
        const bits = (from: number) =>
          found.reduce((all, [place]) => (place >= from && place < from + 32 ? all | (1 << (place - from)) : all), 0);
        const matches = found.reduce((sum, [, count]) => sum + count, 0);
        assert.deepEqual(told, { matches, low: bits(0), high: bits(32) }, `${q} in block ${index}`);
        asked.told += 1;
      }
    }
    assert.equal(index, own.length);
  });
  reader.close();
  return asked;
}

test("what the tokens of a group say of a text is what the text of its blocks says", async (t) => {
  const { file, open, count } = await newIndex(t);
  const blocks = blocksOf(groupBlocks + 40);
  // More tokens than a block's codes distinguish: its text is read.
  const many = Array.from({ length: 20_000 }, (_, word) => `w${word} lease, `).join("");
  blocks[100] = { ...blockWith(many), runId: 1 };
  number(blocks);
  const index = open();
  index.write("me", blocks.slice(0, 100));
  index.write("me", blocks.slice(100));
  for (const text of needles) assert.equal(assertTold(file, blocks, text).told, 0, text);
  while (index.collect("me"));
  assert.deepEqual([count("vocabularies"), count("texts")], [1, blocks.length]);
  for (const text of needles) {
    const { told, read } = assertTold(file, blocks, text);
    // A single space may be between two words, where it has no token.
    const isInsideTokens = phraseOf(Buffer.from(text)).parts.length === 1 && text !== " ";
    if (!isInsideTokens) assert.equal(told, 0, text);
    else if (!["none", "thethe", "//", "  ", "§"].includes(text)) assert.ok(told > read, text);
  }
  index.close();
  assert.equal(assertTold(file, blocks, "700123 none").read, 41);
});

test("a removed run leaves the tokens and texts of the others, and no token of its own", async (t) => {
  const { file, open, count } = await newIndex(t);
  const blocks = blocksOf(groupBlocks * 2 + 3);
  const gone = [3, 200].map((at) => ({ ...blockWith("xylograph lease cursor, ".repeat(40)), runId: 2, at }));
  // The second group contains only one run.
  const all = blocks.map((each, at) => ({ ...each, runId: at >= groupBlocks && at < groupBlocks * 2 ? 3 : 1 }));
  for (const { at, ...each } of gone) all[at] = each;
  number(all);
  const index = open();
  index.write("me", all.slice(0, 150));
  index.write("me", all.slice(150));
  while (index.collect("me"));
  assert.deepEqual([count("vocabularies"), holdsWord(file, "xylograph")], [2, true]);
  index.forget("me", [2, 3]);
  assert.deepEqual([count("vocabularies"), count("token_places"), holdsWord(file, "xylograph")], [0, 0, false]);
  for (const text of needles) assertTold(file, all, text);
  index.close();
  // Also if another writer continues.
  const next = open();
  while (next.collect("me"));
  while (!next.giveBack());
  next.close();
  assert.deepEqual([count("texts"), holdsWord(file, "xylograph")], [groupBlocks + 1, false]);
  assert.ok(holdsWord(file, "lease"));
  for (const text of needles) assertTold(file, all, text);
});

test("groups emptied before their tokens were collected do not keep others from it", async (t) => {
  const { file, open, count } = await newIndex(t);
  const blocks = blocksOf(groupBlocks * 3).map((each, at) => ({ ...each, runId: at < groupBlocks * 2 ? 2 : 1 }));
  number(blocks);
  const index = open();
  index.write("me", blocks);
  index.forget("me", [2]);
  while (index.collect("me"));
  index.close();
  assert.deepEqual([count("vocabularies"), count("texts")], [3, groupBlocks]);
  for (const text of needles) assertTold(file, blocks, text);
});

/** Makes every run begin with its first entry. */
function number(blocks: IndexedBlock[]): void {
  const seqs = new Map<number, number>();
  for (const each of blocks) {
    each.firstSeq = seqs.get(each.runId) ?? 1;
    each.lastSeq = each.firstSeq + each.block.ends.length - 1;
    seqs.set(each.runId, each.lastSeq + 1);
  }
}

function blockWith(text: string): IndexedBlock {
  return { runId: 0, firstSeq: 1, lastSeq: 1, lastAt: 0, isOpen: false, block: blockOf([Buffer.from(text)]) };
}

function holdsWord(file: string, word: string): boolean {
  const database = new DatabaseSync(file);
  const rows = database.prepare("select tokens from vocabularies").all();
  database.close();
  return rows.some(({ tokens }) => tokens instanceof Uint8Array && unpackVocabulary(tokens).text.includes(word));
}
