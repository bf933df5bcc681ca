import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { gramBits } from "./grams.ts";

/** Number of blocks, consecutive by id, in a group; their grams are stored transposed: by bit, then by block. */
export const groupBlocks = 256;
const laneBytes = groupBlocks / 8;
/** Bits of all blocks of a group stored in one row: a search reads one row per bit. */
const rowBits = 128;
/** Rows per group. */
export const groupRows = gramBits / rowBits;

/** Group of a block, from 0, and its position in it. Block ids count from 1. */
export const groupOf = (blockId: number) => Math.floor((blockId - 1) / groupBlocks);
export const placeInGroup = (blockId: number) => (blockId - 1) % groupBlocks;

/** Key of the row that contains a bit, and of a row by its number. */
export const sliceId = (group: number, row: number) => group * groupRows + row;
export const rowOf = (slot: number) => Math.floor(slot / rowBits);

/** Rows of a group, from the grams of its blocks in order. */
export function sliceRows(grams: readonly Uint8Array[]): Uint8Array[] {
  const all = new Uint8Array(gramBits * laneBytes);
  for (const [place, bytes] of grams.entries()) {
    const lane = place >>> 3;
    const bit = 1 << (place & 7);
    for (let index = 0; index < bytes.length; index += 1) {
      let byte = bytes[index] ?? 0;
      // Most bits are not set.
      while (byte !== 0) {
        const slot = index * 8 + 31 - Math.clz32(byte & -byte);
        const at = slot * laneBytes + lane;
        all[at] = (all[at] ?? 0) | bit;
        byte &= byte - 1;
      }
    }
  }
  return Array.from({ length: groupRows }, (_, row) => packed(all.subarray(row * bytesOfRow, (row + 1) * bytesOfRow)));
}

/** A stored row with the bits of the blocks at these places cleared. */
export function withoutPlaces(stored: Uint8Array, places: readonly number[]): Uint8Array {
  const row = unpacked(stored);
  const kept = new Uint8Array(laneBytes).fill(0xff);
  for (const place of places) kept[place >>> 3] = (kept[place >>> 3] ?? 0) & ~(1 << (place & 7));
  for (let at = 0; at < row.length; at += 1) row[at] = (row[at] ?? 0) & (kept[at % laneBytes] ?? 0);
  return packed(row);
}

const bytesOfRow = rowBits * laneBytes;

function packed(row: Uint8Array): Uint8Array {
  const params = { [constants.ZSTD_c_compressionLevel]: 1 };
  return zstdCompressSync(row, { params, chunkSize: bytesOfRow + 64 });
}

function unpacked(stored: Uint8Array): Uint8Array {
  return zstdDecompressSync(stored, { chunkSize: bytesOfRow + 64 });
}

/** Blocks of a group that may match these bits: bit `place % 8` of byte `place / 8`. `readRow` returns a stored row. */
export function candidatesIn(slots: readonly number[], readRow: (row: number) => Uint8Array | null): Uint8Array {
  const candidates = new Uint8Array(laneBytes).fill(0xff);
  for (const slot of slots) {
    const stored = readRow(rowOf(slot));
    if (stored === null) continue;
    const row = unpacked(stored);
    const from = (slot % rowBits) * laneBytes;
    for (let index = 0; index < laneBytes; index += 1)
      candidates[index] = (candidates[index] ?? 0) & (row[from + index] ?? 0);
  }
  return candidates;
}

/** Whether the block is among {@link candidatesIn} its group. */
export function isCandidate(candidates: Uint8Array, blockId: number): boolean {
  const place = placeInGroup(blockId);
  return ((candidates[place >>> 3] ?? 0) & (1 << (place & 7))) !== 0;
}
