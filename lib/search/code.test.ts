import assert from "node:assert/strict";
import { test } from "node:test";
import { foldCase } from "#lib/entry/fold-case.ts";
import { type Block, blockOf, bytesInBlock, countInBlock, packBlock } from "./block.ts";
import { isCoded, packCode, textOfCode, unpackCode } from "./code.ts";
import { countInCode } from "./code-find.ts";
import { phraseOf } from "./code-pattern.ts";
import { looked, mixedEntries, needles } from "./find-entries.fixture.ts";
import { searchTextOf } from "./search-text.ts";
import { Tokenizer } from "./tokens.ts";
import { entriesOfTokens } from "./vocabulary-builder.ts";

// Shared by all blocks: no state of a block may be left in it when it reads the next.
const tokenizer = new Tokenizer();

function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 9) % below;
  };
}

const textsOf = (block: Block) => Array.from(block.ends, (_, place) => bytesInBlock(block, place).toString());

const isPlain = (stored: Uint8Array) => ((stored[3] ?? 0) & 0x40) !== 0;

/** Asserts that a text is counted in the codes of a block as in its text. Returns how many entries contain it. */
function assertCounted(block: Block, packed: Uint8Array, q: string, from = 0, to = block.ends.length - 1): number {
  const [inText, inCode]: [number, number][][] = [[], []];
  countInBlock(block, Buffer.from(q), { from, to }, (place, count) => inText?.push([place, count]));
  const phrase = phraseOf(Buffer.from(q));
  countInCode(unpackCode(packed), phrase, { from, to }, (place, count) => inCode?.push([place, count]));
  assert.deepEqual(inCode, inText, JSON.stringify(q));
  return inText?.length ?? 0;
}

test("counting in the codes of a block is counting in its text, for any part of it", () => {
  const random = randomOf(3);
  const pieces = [
    "alpha",
    "beta",
    "the",
    "thethe",
    "é",
    "世界",
    "1",
    "x",
    " ",
    " ",
    " ",
    "  ",
    ", ",
    "\n",
    "\0",
    "-",
    "/",
  ];
  let coded = 0;
  let held = 0;
  for (let round = 0; round < 150; round += 1) {
    const own = pieces.slice(0, 4 + random(pieces.length - 4)).concat(" ", " ");
    const rare = () => `w${random(random(2) === 0 ? 200 : 9000).toString(36)}${random(3) === 0 ? ", " : " "}`;
    const piece = () => (round % 10 === 0 && random(3) > 0 ? rare() : (own[random(own.length)] ?? " "));
    const texts = Array.from({ length: 1 + random(64) }, () => {
      const text = Array.from({ length: random(round % 10 === 0 ? 2000 : 90) }, piece).join("");
      return text + (random(2) === 0 ? "" : ` ${own[0]} the alpha`.repeat(60));
    });
    const block = blockOf(texts.map((text) => Buffer.from(text)));
    const packed = packCode(block, tokenizer);
    if (packed === null) continue;
    coded += 1;
    assert.deepEqual(textsOf(textOfCode(unpackCode(packed))), texts);
    for (let ask = 0; ask < 40; ask += 1) {
      const text = texts[random(texts.length)] ?? "";
      const at = random(text.length + 1);
      const part =
        random(4) === 0 ? Array.from({ length: 1 + random(5) }, piece).join("") : text.slice(at, at + 1 + random(14));
      const q = part.replaceAll("\0", "");
      if (q === "") continue;
      const from = random(2) === 0 ? 0 : random(texts.length);
      held += assertCounted(block, packed, q, from, from + random(texts.length - from));
    }
  }
  assert.ok(coded > 100 && held > 10_000, `${coded} ${held}`);
});

test("phrases are counted over signs, lines, scripts and parts of words, each place once", () => {
  const texts = Array.from({ length: 60 }, (_, entry) => {
    const said =
      "The state of the run, of the-run: of  the run\nof the running proof the ruins. Größe der 世界 lease_1 (e c) ";
    return `${foldCase(said).repeat(1 + (entry % 5))}the the the ${"of the run ".repeat(entry % 3)}run${entry} a a a a`;
  });
  const block = blockOf(texts.map((text) => Buffer.from(text)));
  const packed = packCode(block, tokenizer);
  assert.ok(packed !== null);
  for (const q of [
    ...[
      "of the run",
      "f the ru",
      "of the",
      "the run",
      " of the run ",
      "the run\nof the",
      "run\nof",
      "of  the",
      "the-run: of",
    ],
    ...[
      "the the",
      "the the the",
      "e the",
      "a a",
      " a a",
      "a a ",
      " the ",
      "e t",
      "größe der 世界",
      "e der 世",
      "r 世界 l",
    ],
    ...["lease_1 (", "e_", "_1 (e", "(e c)", "e c", ") ", ". g", "run17 a", "n1", "run7 a a a"],
  ]) {
    assert.ok(assertCounted(block, packed, q) > 0, q);
  }
  for (const q of ["of the ran", "if the run", "of, the run", "run of the state", "the thee", "a a a a a"]) {
    assert.equal(assertCounted(block, packed, q), 0, q);
  }
});

test("entries of every shape are counted in codes as in their text", () => {
  let asked = 0;
  for (let round = 0; round < 20; round += 1) {
    const mixed = mixedEntries(16, 100 + round);
    const entries = [...mixed, ...mixed, ...mixed, ...mixed];
    const block = blockOf(entries.map((entry) => Buffer.from(searchTextOf(entry))));
    const packed = packCode(block, tokenizer);
    if (packed === null) continue;
    for (const q of [...needles, "al", "o a", "beta\ng", "ß", "界", "te\nstr"]) {
      const needle = foldCase(q);
      if (!needle.isWellFormed()) continue;
      asked += 1;
      assert.equal(assertCounted(block, packed, needle), looked(entries, q).length, q);
    }
  }
  assert.ok(asked > 300, String(asked));
});

test("many tokens, long ones and the words among them", () => {
  const texts = Array.from({ length: 60 }, (_, entry) =>
    Array.from({ length: 9000 }, (_, index) => `w${((entry * 31 + index) % 9000).toString(36)}`).join(
      entry % 2 ? " " : ", ",
    ),
  );
  texts.push(`${"x".repeat(30_000)} ${"\n".repeat(20_000)}y`, "");
  const block = blockOf(texts.map((text) => Buffer.from(text)));
  const packed = packCode(block, tokenizer);
  assert.ok(packed !== null);
  const code = unpackCode(packed);
  assert.deepEqual(textsOf(textOfCode(code)), texts);
  for (const q of [
    "w1",
    "w",
    "6",
    "w0",
    ", w6xy, w6xz",
    "w6xy w6xz",
    "1 w",
    "w6xy w",
    "y w",
    "y w6xz",
    " w6xz",
    "w6xy, ",
    "xx",
    "x \n",
    "\n\n\n",
    "\ny",
  ]) {
    assert.ok(assertCounted(block, packed, q) > 0, q);
  }
  const { low, high, counts } = entriesOfTokens(code);
  const token = Array.from(code.tokenEnds).findIndex(
    (end, index) => code.table.toString("latin1", code.tokenEnds[index - 1] ?? 0, end) === "w6xy",
  );
  assert.deepEqual([counts[token], low[token], high[token]], [60, 0xffffffff, 0x0fffffff]);
});

test("every block has codes, however short it is, except one with too many entries or tokens", () => {
  const unlike = Array.from({ length: 64 }, (_, entry) =>
    Buffer.from(Array.from({ length: 300 }, (_, word) => `w${(entry * 300 + word).toString(36)}`).join(" ")),
  );
  const tooMany = Array.from({ length: 65 }, () => Buffer.from("word ".repeat(20)));
  for (const texts of [unlike, tooMany]) {
    assert.equal(packCode(blockOf(texts), tokenizer), null);
    assert.equal(isCoded(packBlock(blockOf(texts))), false);
  }
  for (const texts of [[`one two ${"three ".repeat(50)}`], ["one two"], ["two", "", "\0"], [""], []]) {
    const packed = packCode(blockOf(texts.map((text) => Buffer.from(text))), tokenizer);
    assert.ok(packed !== null && isCoded(packed));
    assert.deepEqual(textsOf(textOfCode(unpackCode(packed))), texts);
  }
});

test("tokens and codes are compressed only where that halves them", () => {
  const words = Array.from({ length: 500 }, (_, word) => `word${word}`);
  const random = randomOf(11);
  const varied = () => Array.from({ length: 800 }, () => words[random(words.length)]).join(" ");
  const same = varied();
  for (const [textOf, packs] of [
    [varied, false],
    [() => same, true],
  ] as const) {
    const block = blockOf(Array.from({ length: 30 }, () => Buffer.from(textOf())));
    const stored = packCode(block, tokenizer);
    assert.ok(stored !== null);
    assert.equal(isPlain(stored), !packs);
    const { table, code } = unpackCode(stored);
    assert.equal(stored.length > table.length + code.length, !packs);
    assert.deepEqual(textOfCode(unpackCode(stored)), block);
    for (const q of ["word1", "word7 word", "7 w", " word49"]) assert.ok(assertCounted(block, stored, q) > 0, q);
  }
});
