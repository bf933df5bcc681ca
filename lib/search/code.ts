import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Block } from "./block.ts";
import { isWordByte, type Tokenizer, type Tokens } from "./tokens.ts";

/**
 * The text of a block as codes of its tokens (see Tokens): what is looked for is sought among the distinct tokens, and then among the
 * codes, which are a quarter of the text. The frequent tokens have a code of one byte, the others of two. A code ends with a byte
 * below `stop`, and has none before: so a code is found by its bytes, and where one ends the next begins.
 */
export type CodedBlock = {
  /** How many bytes the text has. */
  length: number;
  stop: number;
  /** The tokens one after the other, those of frequent ones first; where each ends. */
  table: Buffer;
  tokenEnds: Uint32Array;
  code: Buffer;
  /** Where the codes of each entry end. */
  ends: Uint32Array;
};

/** Set in the first number of what is stored, which else is how many entries there are. */
const coded = 0x80000000;
/** Set there too where neither the tokens nor their codes are packed. */
const plain = 0x40000000;
const headBytes = 24;
/** The words of a block have a bit for each of its entries. */
const entriesMax = 64;
const tableLevel = { [constants.ZSTD_c_compressionLevel]: -1 };
/** What repeats is taken together and the rest is left as it is. */
const codeLevel = { [constants.ZSTD_c_compressionLevel]: -4 };
/** Unpacking takes longer than all that is done with a block then: it is packed where that leaves so much of it at most. */
const packedShare = 0.5;

/** The form in which a coded block is stored, or null where the other form (see packBlock) is the shorter one. Numbers are little-endian. */
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
  if ((table.length + code.length) * 3 >= block.text.length * 2) return null;
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

/** Whether what is stored is a {@link packCode}. */
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
  // One piece of the right size: the default is many of 16 KB.
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

/** The token whose code has these two bytes. */
export function tokenOf(first: number, second: number, stop: number): number {
  return stop + (first - stop) * stop + second;
}

/** The bytes of the code of a token. */
export function bytesOfCode(token: number, stop: number): number[] {
  const code = codeOf(token, stop);
  return code < 0x100 ? [code] : [code >>> 8, code & 0xff];
}

/** The bytes of the code, the first one above the second. No code of two bytes is below 256: its first byte is not below `stop`. */
function codeOf(token: number, stop: number): number {
  if (token < stop) return token;
  return ((stop + Math.floor((token - stop) / stop)) << 8) | ((token - stop) % stop);
}

/** The largest that leaves a code for each token. */
function stopOf(found: number): number {
  let stop = 255;
  while (stop + stop * (256 - stop) < found) stop -= 1;
  return stop;
}

/** The tokens, frequent ones first. */
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

/** The lengths of the tokens, seven bits a byte, the last byte of each below 128; and the tokens. */
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
