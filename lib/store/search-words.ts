import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Block } from "./search-block.ts";

/**
 * The distinct words of a block, with the entries that have each and how often it occurs: so much shorter than the text that what
 * is everywhere can be counted without reading all of it. A word is a run of ASCII letters, digits and bytes above ASCII: whatever
 * is made of these alone can occur inside of words only.
 */
export type BlockWords = {
  /** Each with a separator after it. */
  text: Buffer;
  /** Where each ends, its separator included. */
  ends: Uint32Array;
  /** Bit `n % 32` of `n < 32 ? low : high` stands for entry n of the block. */
  low: Uint32Array;
  high: Uint32Array;
  counts: Uint32Array;
};

/** Stands for the words of a block that are not kept. */
export const noWords = new Uint8Array();

const entriesMax = 64;
const wordsMax = 16_384;
const spread = 0x9e3779b1;

/** 1 for each byte that is part of a word. */
export const isWordByte = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x80 || (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x7a) ? 1 : 0,
);

// One block is looked at at a time. Signed numbers: unsigned ones above 2^31 are no small integers to the engine.
/** One more than the number of the word that stands there; 0 for none. Most blocks have few words: only so much is used as they need. */
const slots = new Int32Array(2 ** 16);
const slotsLogMin = 12;
/** What is known of a word stands side by side: where it begins, its length, its hash, its entries and how often it occurs. */
const table = new Int32Array(wordsMax * 8);
const place = { start: 0, length: 1, hash: 2, low: 3, high: 4, count: 5 } as const;

/** Whether a text (lower-case) can occur inside of words only. */
export function isInsideWords(text: Uint8Array): boolean {
  return text.every((byte) => isWordByte[byte] === 1);
}

/** The words of a block as they are stored, or null where they would not be much shorter than its text. */
export function packWords({ text, ends }: Block): Uint8Array | null {
  if (ends.length > entriesMax) return null;
  let slotsLog = slotsLogMin;
  slots.fill(0, 0, 2 ** slotsLog);
  let found = 0;
  let from = 0;
  for (const [entry, end] of ends.entries()) {
    const entries = entry < 32 ? place.low : place.high;
    for (let at = from; at < end; ) {
      const most = Math.min(wordsMax - 1, 2 ** (slotsLog - 1));
      const known = collect(text, { from: at, to: end }, found, { entries, bit: 1 << (entry & 31), slotsLog, most });
      found = known.found;
      at = known.at;
      if (at >= end) break;
      if (found >= wordsMax - 1) return null;
      slotsLog += 1;
      spreadOut(found, slotsLog);
    }
    from = end;
  }
  let bytes = found;
  for (let word = 0; word < found; word += 1) bytes += table[word * 8 + place.length] ?? 0;
  return (bytes + found * 16) * 2 > text.length ? null : pack(text, found, bytes);
}

/** Puts the words that are there into more slots. */
function spreadOut(found: number, slotsLog: number): void {
  slots.fill(0, 0, 2 ** slotsLog);
  for (let word = 0; word < found; word += 1) {
    let slot = Math.imul(table[word * 8 + place.hash] ?? 0, spread) >>> (32 - slotsLog);
    while (slots[slot] !== 0) slot = (slot + 1) & (2 ** slotsLog - 1);
    slots[slot] = word + 1;
  }
}

/**
 * Notes the words of a part of the text, at whose end a separator stands; `found` are there already. Gives how many are there then, and
 * how far it came: to the word for which there is no room. This runs over every byte that is written: the casts rest on the bounds
 * and on the tables' sizes.
 */
function collect(
  text: Buffer,
  { from, to }: { from: number; to: number },
  found: number,
  { entries, bit, slotsLog, most }: { entries: number; bit: number; slotsLog: number; most: number },
): { found: number; at: number } {
  const mask = 2 ** slotsLog - 1;
  let known = found;
  for (let at = from; at < to; at += 1) {
    const start = at;
    let hash = 0;
    for (let byte = text[at] as number; isWordByte[byte] === 1; byte = text[at] as number) {
      hash = (Math.imul(hash, 31) + byte) | 0;
      at += 1;
    }
    if (at === start) continue;
    const length = at - start;
    let slot = Math.imul(hash, spread) >>> (32 - slotsLog);
    let row = ((slots[slot] as number) - 1) * 8;
    while (row >= 0 && !(table[row + place.hash] === hash && isSame(text, row, start, length))) {
      slot = (slot + 1) & mask;
      row = ((slots[slot] as number) - 1) * 8;
    }
    if (row < 0) {
      if (known === most) return { found: known, at: start };
      row = known * 8;
      known += 1;
      slots[slot] = known;
      table[row + place.start] = start;
      table[row + place.length] = length;
      table[row + place.hash] = hash;
      table[row + place.low] = 0;
      table[row + place.high] = 0;
      table[row + place.count] = 0;
    }
    table[row + entries] = (table[row + entries] as number) | bit;
    table[row + place.count] = (table[row + place.count] as number) + 1;
  }
  return { found: known, at: to };
}

function isSame(text: Buffer, row: number, start: number, length: number): boolean {
  if (table[row + place.length] !== length) return false;
  const other = table[row + place.start] as number;
  for (let at = 0; at < length; at += 1) if (text[other + at] !== text[start + at]) return false;
  return true;
}

/** How many words, how many bytes of them, and packed: ends, low, high, counts, the words. Numbers are little-endian. */
function pack(text: Buffer, found: number, bytes: number): Uint8Array {
  const plain = Buffer.alloc(found * 16 + bytes);
  const numbers = new Uint32Array(plain.buffer, plain.byteOffset, found * 4);
  let end = 0;
  for (let word = 0; word < found; word += 1) {
    const row = word * 8;
    const start = table[row + place.start] ?? 0;
    const length = table[row + place.length] ?? 0;
    text.copy(plain, found * 16 + end, start, start + length);
    end += length + 1;
    numbers[word] = end;
    numbers[found + word] = table[row + place.low] ?? 0;
    numbers[found * 2 + word] = table[row + place.high] ?? 0;
    numbers[found * 3 + word] = table[row + place.count] ?? 0;
  }
  const head = Buffer.alloc(8);
  head.writeUInt32LE(found, 0);
  head.writeUInt32LE(bytes, 4);
  const packed = zstdCompressSync(plain, {
    params: { [constants.ZSTD_c_compressionLevel]: 1 },
    chunkSize: Math.max(plain.length, 1024),
  });
  return Buffer.concat([head, packed]);
}

/** See {@link packWords}. */
export function unpackWords(stored: Uint8Array): BlockWords {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  const found = bytes.readUInt32LE(0);
  const size = found * 16 + bytes.readUInt32LE(4);
  const plain = zstdDecompressSync(bytes.subarray(8), { chunkSize: Math.max(size, 64) + 1 });
  const numbers = (place: number) => new Uint32Array(plain.buffer, plain.byteOffset + found * 4 * place, found);
  return {
    ends: numbers(0),
    low: numbers(1),
    high: numbers(2),
    counts: numbers(3),
    text: plain.subarray(found * 16, size),
  };
}

/** How often a text occurs in a block, and which of its entries hold it, as {@link BlockWords} has them. */
export type WordCount = { matches: number; low: number; high: number };

/** Counts a text that is {@link isInsideWords}. */
export function countInWords(words: BlockWords, needle: Uint8Array): WordCount {
  const { text, ends } = words;
  const found = { matches: 0, low: 0, high: 0 };
  let word = 0;
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) {
    while (at >= (ends[word] ?? Number.POSITIVE_INFINITY)) word += 1;
    found.matches += words.counts[word] ?? 0;
    found.low |= words.low[word] ?? 0;
    found.high |= words.high[word] ?? 0;
  }
  return found;
}
