import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";

/** Number of blocks, consecutive by id, whose tokens are collected together. */
export const groupBlocks = 256;

/** Group of a block, from 0, and its position in it. Block ids count from 1. */
export const groupOf = (blockId: number) => Math.floor((blockId - 1) / groupBlocks);
export const placeInGroup = (blockId: number) => (blockId - 1) % groupBlocks;

/**
 * Distinct tokens of a group of blocks, and for each the blocks and entries that contain it: a text is searched among them
 * first, so that a search reads only the text that matches.
 */
export type Vocabulary = {
  /** A separator, then every token followed by a separator. */
  text: Buffer;
  /** End of each token in the text, including its separator. */
  ends: Uint32Array;
  /** Token n has the places from `firsts[n]` to `firsts[n + 1]`, counted over all pieces. */
  firsts: Uint32Array;
  /** Blocks whose tokens are included: bit `place % 8` of byte `place / 8`. */
  known: Uint8Array;
};

/**
 * Places of tokens: a block of the group, the number of occurrences in it, and its entries that contain the token: bit `n % 32` of
 * `n < 32 ? low : high` stands for entry n.
 */
export type TokenPlaces = { blocks: Uint8Array; low: Uint32Array; high: Uint32Array; counts: Uint32Array };

/** Tokens and their places in the order of the tokens, before they are stored. */
export type CollectedVocabulary = Vocabulary & { places: TokenPlaces };

/** Places per stored piece; the last one may have fewer. */
export const piecePlaces = 8192;
/** Maximum number of places in a vocabulary. */
export const placesMax = 2 ** 21;
const piecesMax = placesMax / piecePlaces;

/** Key of a piece of a group's vocabulary. */
export const pieceId = (group: number, piece: number) => group * piecesMax + piece;

const placeBytes = 13;
const knownBytes = groupBlocks / 8;
const level = { [constants.ZSTD_c_compressionLevel]: 1 };

/**
 * Stored form of tokens: their number, their bytes, the known blocks, and compressed: ends, firsts, the tokens. Numbers are
 * little-endian.
 */
export function packVocabulary({ text, ends, firsts, known }: Vocabulary): Uint8Array {
  const head = Buffer.alloc(8 + knownBytes);
  head.writeUInt32LE(ends.length, 0);
  head.writeUInt32LE(text.length, 4);
  head.set(known, 8);
  const plain = Buffer.concat([bytesOf(ends), bytesOf(firsts), text]);
  return Buffer.concat([head, compressed(plain)]);
}

/** See {@link packVocabulary}. */
export function unpackVocabulary(stored: Uint8Array): Vocabulary {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  const found = bytes.readUInt32LE(0);
  const start = found * 4 + (found + 1) * 4;
  const size = start + bytes.readUInt32LE(4);
  const plain = decompressed(bytes.subarray(8 + knownBytes), size);
  return {
    known: bytes.subarray(8, 8 + knownBytes),
    ends: new Uint32Array(plain.buffer, plain.byteOffset, found),
    firsts: new Uint32Array(plain.buffer, plain.byteOffset + found * 4, found + 1),
    text: plain.subarray(start, size),
  };
}

/** Stored form of places, in pieces: their number, and compressed: low, high, counts, blocks. */
export function* packPlaces({ blocks, low, high, counts }: TokenPlaces): Generator<Uint8Array> {
  for (let from = 0; from < blocks.length; from += piecePlaces) {
    const to = Math.min(from + piecePlaces, blocks.length);
    const head = Buffer.alloc(4);
    head.writeUInt32LE(to - from);
    const plain = Buffer.concat([
      bytesOf(low.subarray(from, to)),
      bytesOf(high.subarray(from, to)),
      bytesOf(counts.subarray(from, to)),
      blocks.subarray(from, to),
    ]);
    yield Buffer.concat([head, compressed(plain)]);
  }
}

/** See {@link packPlaces}. */
export function unpackPlaces(stored: Uint8Array): TokenPlaces {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  const count = bytes.readUInt32LE(0);
  const plain = decompressed(bytes.subarray(4), count * placeBytes);
  const numbers = (column: number) => new Uint32Array(plain.buffer, plain.byteOffset + column * count * 4, count);
  return {
    low: numbers(0),
    high: numbers(1),
    counts: numbers(2),
    blocks: plain.subarray(count * 12, count * placeBytes),
  };
}

function compressed(plain: Buffer): Buffer {
  return zstdCompressSync(plain, { params: level, chunkSize: Math.max(plain.length, 1024) });
}

/** In a separate buffer, aligned for reading numbers. */
function decompressed(bytes: Buffer, size: number): Buffer {
  // One buffer of the right size: the default is many of 16 KB.
  return zstdDecompressSync(bytes, { chunkSize: Math.max(size, 64) + 1 });
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
