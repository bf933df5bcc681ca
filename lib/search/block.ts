import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";

/** Search texts of consecutive entries: UTF-8, concatenated; `ends` has the end of each, including a separator. */
export type Block = { text: Buffer; ends: Uint32Array };

const parameters = { [constants.ZSTD_c_compressionLevel]: 1 };

/** Concatenates search texts, each followed by a separator. */
export function blockOf(texts: readonly Uint8Array[]): Block {
  const ends = new Uint32Array(texts.length);
  let end = 0;
  for (const [index, { length }] of texts.entries()) {
    end += length + 1;
    ends[index] = end;
  }
  const text = Buffer.alloc(end);
  for (const [index, each] of texts.entries()) text.set(each, (ends[index] ?? 0) - each.length - 1);
  return { text, ends };
}

/** Stored form of a block: number of ends, the ends, the compressed text. Numbers are little-endian. */
export function packBlock({ text, ends }: Block): Uint8Array {
  const packed = zstdCompressSync(text, { params: parameters, chunkSize: Math.max(text.length, 1024) });
  const head = Buffer.alloc(4 + ends.length * 4);
  head.writeUInt32LE(ends.length);
  for (const [index, end] of ends.entries()) head.writeUInt32LE(end, 4 + index * 4);
  return Buffer.concat([head, packed]);
}

/** See {@link packBlock}. */
export function unpackBlock(stored: Uint8Array): Block {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  const count = bytes.readUInt32LE(0);
  const ends = new Uint32Array(count);
  for (let index = 0; index < count; index += 1) ends[index] = bytes.readUInt32LE(4 + index * 4);
  // One buffer of the right size: the default is many of 16 KB.
  const text = zstdDecompressSync(bytes.subarray(4 + count * 4), { chunkSize: Math.max(ends.at(-1) ?? 0, 64) + 1 });
  return { text, ends };
}

/** Range of entries within a block, both inclusive. */
export type Part = { from: number; to: number };

/** Calls `hit` for each entry of the range that contains the bytes, in order, with the number of occurrences. */
export function countInBlock(
  block: Block,
  needle: Uint8Array,
  part: Part,
  hit: (index: number, count: number) => void,
): void {
  // Text this short occurs so often that one call per occurrence costs more than examining every byte here.
  if (needle.length <= 2) countShort(block, needle, part, hit);
  else countLong(block, needle, part, hit);
}

function countLong(
  { text, ends }: Block,
  needle: Uint8Array,
  { from, to }: Part,
  hit: (index: number, count: number) => void,
): void {
  let index = from;
  let end = ends[index] ?? 0;
  let count = 0;
  let at = text.indexOf(needle, from === 0 ? 0 : (ends[from - 1] ?? 0));
  // Every entry ends with a separator and the searched text contains none: no occurrence reaches into the next entry.
  while (at !== -1) {
    if (at >= end) {
      if (count > 0) hit(index, count);
      count = 0;
      while (index <= to && at >= end) {
        index += 1;
        end = ends[index] ?? 0;
      }
      if (index > to) return;
    }
    count += 1;
    at = text.indexOf(needle, at + needle.length);
  }
  if (count > 0) hit(index, count);
}

function countShort(
  { text, ends }: Block,
  needle: Uint8Array,
  { from, to }: Part,
  hit: (index: number, count: number) => void,
): void {
  const [first, second] = needle;
  let at = from === 0 ? 0 : (ends[from - 1] ?? 0);
  for (let index = from; index <= to; index += 1) {
    const end = ends[index] ?? 0;
    let count = 0;
    for (; at < end; at += 1) {
      if (text[at] !== first) continue;
      if (second === undefined) count += 1;
      else if (text[at + 1] === second) {
        count += 1;
        at += 1;
      }
    }
    if (count > 0) hit(index, count);
  }
}

/** Search text of entry `index` of the block. */
export function bytesInBlock({ text, ends }: Block, index: number): Buffer {
  return text.subarray(index === 0 ? 0 : (ends[index - 1] ?? 0), (ends[index] ?? 1) - 1);
}
