import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Block } from "./block.ts";
import { isWordByte, type Tokenizer, type Tokens } from "./tokens.ts";

/**
 * Text of a block as codes of its tokens (see Tokens): a text is searched among the distinct tokens first, and then among the
 * codes, which are a quarter of the text. Frequent tokens have a code of one byte, the others of two. A code ends with a byte
 * below `stop`, and has none before it, so that codes can be found by their bytes, and the next begins where one ends.
 */
export type CodedBlock = {
  /** Number of bytes of the text. */
  length: number;
  stop: number;
  /** The tokens concatenated, frequent ones first; and the end of each. */
  table: Buffer;
  tokenEnds: Uint32Array;
  code: Buffer;
  /** End of each entry's codes. */
  ends: Uint32Array;
};

/** Set in the first stored number, which is otherwise the number of entries. */
const coded = 0x80000000;
/** Set there too if neither the tokens nor their codes are compressed. */
const plain = 0x40000000;
const headBytes = 24;
/** Tokens of a block have one bit per entry. */
const entriesMax = 64;
const tableLevel = { [constants.ZSTD_c_compressionLevel]: -1 };
/** zstd settings: match repetitions, leave the rest as it is. */
const codeLevel = { [constants.ZSTD_c_compressionLevel]: -4 };
/** Decompression would then dominate the cost of a search: compress only if at most this share remains. */
const packedShare = 0.5;

/** Stored form of a coded block, or null if it has too many entries or tokens (see packBlock). Numbers are little-endian. */
export function packCode(block: Block, tokenizer: Tokenizer): Uint8Array | null {
  if (block.ends.length > entriesMax) return null;
  const tokens = tokenizer.read(block);
  if (tokens === null) return null;
  const { found } = tokens;
  const order = byCount(tokens);
  const stop = stopOf(found);
  const codes = new Uint16Array(found);
  for (const [rank, token] of order.entries()) codes[token] = codeOf(rank, stop);
  const { code, ends } = codeText(tokens, codes);
  const table = tableOf(block.text, tokens, order);
  const packedTable = zstdCompressSync(table, { params: tableLevel, chunkSize: table.length + 1024 });
  const packedCode = zstdCompressSync(code, { params: codeLevel, chunkSize: code.length + 1024 });
  const isPlain = packedTable.length + packedCode.length > (table.length + code.length) * packedShare;
  const [storedTable, storedCode] = isPlain ? [table, code] : [packedTable, packedCode];
  const head = Buffer.alloc(headBytes + ends.length * 4);
  head.writeUInt32LE((coded | (isPlain ? plain : 0) | ends.length) >>> 0, 0);
  head.writeUInt32LE(block.text.length, 4);
  head.writeUInt32LE(found, 8);
  head.writeUInt32LE(table.length, 12);
  head.writeUInt32LE(storedTable.length, 16);
  head.writeUInt32LE(code.length, 20);
  for (const [entry, end] of ends.entries()) head.writeUInt32LE(end, headBytes + entry * 4);
  return Buffer.concat([head, storedTable, storedCode]);
}

/** Whether a stored value is a {@link packCode}. */
export function isCoded(stored: Uint8Array): boolean {
  return ((stored[3] ?? 0) & 0x80) !== 0;
}

/** See {@link packCode}. */
export function unpackCode(stored: Uint8Array): CodedBlock {
  const { buffer, byteOffset, byteLength } = stored;
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  const first = bytes.readUInt32LE(0);
  const ends = new Uint32Array(first & ~(coded | plain));
  for (let entry = 0; entry < ends.length; entry += 1) ends[entry] = bytes.readUInt32LE(headBytes + entry * 4);
  const from = headBytes + ends.length * 4;
  const tableLength = bytes.readUInt32LE(12);
  const tableBytes = bytes.readUInt32LE(16);
  const codeLength = bytes.readUInt32LE(20);
  const storedTable = bytes.subarray(from, from + tableBytes);
  const storedCode = bytes.subarray(from + tableBytes);
  const isPlain = (first & plain) !== 0;
  // One buffer of the right size: the default is many of 16 KB.
  const table = isPlain ? storedTable : zstdDecompressSync(storedTable, { chunkSize: tableLength + 64 });
  const code = isPlain ? storedCode : zstdDecompressSync(storedCode, { chunkSize: codeLength + 64 });
  const found = bytes.readUInt32LE(8);
  const { tokenEnds, at } = readLengths(table, found);
  return { length: bytes.readUInt32LE(4), stop: stopOf(found), table: table.subarray(at), tokenEnds, code, ends };
}

/** The text of a coded block. */
export function textOfCode({ length, stop, table, tokenEnds, code, ends }: CodedBlock): Block {
  const text = Buffer.allocUnsafe(length);
  const textEnds = new Uint32Array(ends.length);
  let written = 0;
  let at = 0;
  for (const [entry, end] of ends.entries()) {
    let afterWord = false;
    while (at < end) {
      let token = code[at] as number;
      at += 1;
      if (token >= stop) {
        token = tokenOf(token, code[at] as number, stop);
        at += 1;
      }
      let from = token === 0 ? 0 : (tokenEnds[token - 1] as number);
      const to = tokenEnds[token] as number;
      const isWord = isWordByte[table[from] as number] === 1;
      if (isWord && afterWord) {
        text[written] = 0x20;
        written += 1;
      }
      afterWord = isWord;
      for (; from < to; from += 1) {
        text[written] = table[from] as number;
        written += 1;
      }
    }
    textEnds[entry] = written;
  }
  return { text, ends: textEnds };
}

/** The token with this two-byte code. */
export function tokenOf(first: number, second: number, stop: number): number {
  return stop + (first - stop) * stop + second;
}

/** Bytes of a token's code. */
export function bytesOfCode(token: number, stop: number): number[] {
  const code = codeOf(token, stop);
  return code < 0x100 ? [code] : [code >>> 8, code & 0xff];
}

/** Bytes of the code, the first one as the high byte. No two-byte code is below 256: its first byte is not below `stop`. */
function codeOf(token: number, stop: number): number {
  if (token < stop) return token;
  return ((stop + Math.floor((token - stop) / stop)) << 8) | ((token - stop) % stop);
}

/** The largest value that leaves a code for each token. */
function stopOf(found: number): number {
  let stop = 255;
  while (stop + stop * (256 - stop) < found) stop -= 1;
  return stop;
}

/** Tokens, frequent ones first. */
function byCount({ found, counts }: Tokens): Uint16Array {
  const keys = new Uint32Array(found);
  for (let token = 0; token < found; token += 1) {
    keys[token] = (Math.min(counts[token] as number, 0x3ffff) << 14) | token;
  }
  keys.sort();
  const order = new Uint16Array(found);
  for (let rank = 0; rank < found; rank += 1) order[rank] = (keys[found - 1 - rank] as number) & 0x3fff;
  return order;
}

function codeText({ stream, ends }: Tokens, codes: Uint16Array): { code: Buffer; ends: Uint32Array } {
  const written = ends.at(-1) ?? 0;
  const code = Buffer.allocUnsafe(written * 2);
  const codeEnds = new Uint32Array(ends.length);
  let end = 0;
  let at = 0;
  for (const [entry, to] of ends.entries()) {
    for (; at < to; at += 1) {
      const bytes = codes[stream[at] as number] as number;
      if (bytes >= 0x100) {
        code[end] = bytes >>> 8;
        end += 1;
      }
      code[end] = bytes;
      end += 1;
    }
    codeEnds[entry] = end;
  }
  return { code: code.subarray(0, end), ends: codeEnds };
}

/** Lengths of the tokens, seven bits per byte, the last byte of each below 128; and the tokens. */
function tableOf(text: Buffer, { starts, lengths, found }: Tokens, order: Uint16Array): Buffer {
  let bytes = found * 5;
  for (let token = 0; token < found; token += 1) bytes += lengths[token] as number;
  const table = Buffer.allocUnsafe(bytes);
  let end = 0;
  for (const token of order) {
    let length = lengths[token] as number;
    for (; length >= 0x80; length >>>= 7) {
      table[end] = (length & 0x7f) | 0x80;
      end += 1;
    }
    table[end] = length;
    end += 1;
  }
  for (const token of order) {
    const start = starts[token] as number;
    const stop = start + (lengths[token] as number);
    for (let at = start; at < stop; at += 1) {
      table[end] = text[at] as number;
      end += 1;
    }
  }
  return table.subarray(0, end);
}

function readLengths(table: Buffer, found: number): { tokenEnds: Uint32Array; at: number } {
  const tokenEnds = new Uint32Array(found);
  let at = 0;
  let end = 0;
  for (let token = 0; token < found; token += 1) {
    let byte = table[at] as number;
    at += 1;
    let length = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = table[at] as number;
      at += 1;
      length |= (byte & 0x7f) << shift;
    }
    end += length;
    tokenEnds[token] = end;
  }
  return { tokenEnds, at };
}
