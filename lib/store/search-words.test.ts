import assert from "node:assert/strict";
import { test } from "node:test";
import { looked, mixedEntries, needles } from "#lib/web/find-entries.fixture.ts";
import { blockOf, countInBlock } from "./search-block.ts";
import { searchBytesOf } from "./search-text.ts";
import { countInWords, isInsideWords, packWords, unpackWords } from "./search-words.ts";

const bitsOf = (low: number, high: number) =>
  Array.from({ length: 64 }, (_, place) => place).filter((place) =>
    place < 32 ? (low & (1 << place)) !== 0 : (high & (1 << (place - 32))) !== 0,
  );

test("counting words is counting in the text, for whatever is inside of words", () => {
  let asked = 0;
  for (let round = 0; round < 40; round += 1) {
    const entries = mixedEntries(20 + ((round * 7) % 45), 100 + round);
    const block = blockOf([...entries, ...entries, ...entries].slice(0, 64).map((entry) => searchBytesOf(entry)));
    const packed = packWords(block);
    // The words of short blocks are about as long as their text.
    if (packed === null) continue;
    const words = unpackWords(packed);
    for (const q of [...needles, "al", "h", "2", "aalph", "na", "界", "o"]) {
      const needle = Buffer.from(q.toLowerCase());
      if (!isInsideWords(needle)) continue;
      asked += 1;
      const inText = { matches: 0, places: [] as number[] };
      countInBlock(block, needle, { from: 0, to: block.ends.length - 1 }, (place, count) => {
        inText.matches += count;
        inText.places.push(place);
      });
      const { matches, low, high } = countInWords(words, needle);
      assert.deepEqual({ matches, places: bitsOf(low, high) }, inText, q);
      if (entries.length >= 64) {
        const expected = looked(entries, q);
        assert.deepEqual(
          inText.places,
          expected.map(({ seq }) => seq - 1),
        );
      }
    }
  }
  assert.ok(asked > 500);
});

test("many words of a block are counted like few", () => {
  const texts = Array.from({ length: 60 }, (_, entry) =>
    Array.from({ length: 9000 }, (_, index) => `w${((entry * 31 + index) % 9000).toString(36)}`).join(
      entry % 2 ? " " : ", ",
    ),
  );
  const block = blockOf(texts.map((text) => Buffer.from(text)));
  const packed = packWords(block);
  assert.ok(packed !== null);
  const words = unpackWords(packed);
  assert.equal(words.ends.length, 9000);
  for (const q of ["w1", "w", "w6xy", "6", "xyz", "w0"]) {
    const needle = Buffer.from(q);
    let expected = 0;
    countInBlock(block, needle, { from: 0, to: 59 }, (_, count) => {
      expected += count;
    });
    assert.equal(countInWords(words, needle).matches, expected, q);
  }
});

test("what has a letter or digit only is inside of words; a space, a sign or a break is not", () => {
  for (const inside of ["a", "z9", "größe", "世界", "0"])
    assert.equal(isInsideWords(Buffer.from(inside)), true, inside);
  for (const across of [" ", "a b", "a_b", "-", "a.", "\n", '"', "{", "/", "@", "`"]) {
    assert.equal(isInsideWords(Buffer.from(across)), false, across);
  }
});

test("words are kept only where they are much shorter than the text", () => {
  const unlike = Array.from({ length: 64 }, (_, entry) =>
    Buffer.from(Array.from({ length: 300 }, (_, word) => `w${(entry * 300 + word).toString(36)}`).join(" ")),
  );
  assert.equal(packWords(blockOf(unlike)), null);
  assert.equal(packWords(blockOf([Buffer.from("one two")])), null);
  assert.notEqual(packWords(blockOf([Buffer.from("one two ".repeat(50))])), null);
  assert.equal(
    packWords(blockOf(Array.from({ length: 65 }, () => Buffer.from("a a a a a a a a a a a a a a a")))),
    null,
  );
});
