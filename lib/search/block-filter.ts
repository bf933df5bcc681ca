import { hasBits, slotsOf } from "./grams.ts";
import { bytesOf, type IndexRows } from "./index-rows.ts";
import { candidatesIn, groupBlocks, groupOf, isCandidate, placeInGroup, sliceId } from "./slices.ts";
import { pieceId, unpackPlaces, unpackVocabulary } from "./vocabulary.ts";
import { commonHits, hitsOf, type WordPart, wordPartsOf } from "./vocabulary-find.ts";

/**
 * How often a text occurs in a block, and which entries contain it: bit `n % 32` of `n < 32 ? low : high` stands for entry n.
 */
export type WordCount = { matches: number; low: number; high: number };

/** The index's knowledge of a text, without reading entries. */
export type BlockFilter = {
  /** Bits set in the grams of every block that contains the text. */
  slots: readonly number[];
  /** False if the block cannot contain it. */
  mayContain(blockId: number): boolean;
  /** Occurrences in the block, if known from the words of its group; otherwise null. */
  count(blockId: number): WordCount | null;
};

/** Matches of a text in a group, by block, derived from the group's words. Says nothing about a block that is not `known`. */
type GroupCandidates = {
  known: Uint8Array;
  low: Int32Array;
  high: Int32Array;
  /** Null if the words say where the text may be, but only reading shows whether it is there. */
  counts: Float64Array | null;
};

/** Cached candidates by group, for the last text searched. The words of a group never change. */
export type GroupHitsCache = Map<string, Map<number, GroupCandidates>>;

/** Uses the transposed bits of a group if it is full, otherwise the block's own; each is read once. */
export function slotFilter(rows: IndexRows, slots: readonly number[]): BlockFilter {
  const groups = new Map<number, Uint8Array>();
  const lastSlice = Number(rows.lastSlice.get()?.id);
  const readGroup = (group: number): Uint8Array => {
    if (lastSlice >= sliceId(group, 0)) {
      return candidatesIn(slots, (row) => bytesOf(rows.slice.get(sliceId(group, row))?.bits));
    }
    const candidates = new Uint8Array(groupBlocks / 8);
    for (let place = 0; place < groupBlocks; place += 1) {
      const bits = rows.grams.get(group * groupBlocks + place + 1)?.bits;
      if (bits === undefined || !hasBits(bytesOf(bits), slots)) continue;
      candidates[place >>> 3] = (candidates[place >>> 3] ?? 0) | (1 << (place & 7));
    }
    return candidates;
  };
  return {
    slots,
    mayContain(blockId) {
      const group = groupOf(blockId);
      let candidates = groups.get(group);
      if (candidates === undefined) {
        candidates = readGroup(group);
        groups.set(group, candidates);
      }
      return isCandidate(candidates, blockId);
    },
    count: () => null,
  };
}

/** Uses the words of a group if they are collected, and the bits of blocks. */
export function textFilter(rows: IndexRows, text: Uint8Array, kept: GroupHitsCache): BlockFilter {
  const { slots, mayContain: bitsMayContain } = slotFilter(rows, slotsOf(text));
  const parts = wordPartsOf(text);
  const [first] = parts;
  if (first === undefined) return { slots, mayContain: bitsMayContain, count: () => null };
  const isInsideWord = first.bytes.length === text.length;
  const groups = keptOf(kept, Buffer.from(text).toString("latin1"));
  const readGroup = (group: number): GroupCandidates | null => {
    let candidates = groups.get(group) ?? null;
    if (candidates === null) {
      candidates = candidatesOf(rows, group, parts, isInsideWord);
      if (candidates !== null) groups.set(group, candidates);
    }
    return candidates;
  };
  /** Candidates of the block's group; null if its words say nothing about the block. */
  const candidatesAt = (blockId: number): GroupCandidates | null => {
    const candidates = readGroup(groupOf(blockId));
    return candidates !== null && isCandidate(candidates.known, blockId) ? candidates : null;
  };
  return {
    slots,
    mayContain(blockId) {
      // Text that spans words is usually rare enough for the bits to rule blocks out.
      if (!isInsideWord && !bitsMayContain(blockId)) return false;
      const candidates = candidatesAt(blockId);
      if (candidates === null) return !isInsideWord || bitsMayContain(blockId);
      const place = placeInGroup(blockId);
      return candidates.low[place] !== 0 || candidates.high[place] !== 0;
    },
    count(blockId) {
      const candidates = isInsideWord ? candidatesAt(blockId) : null;
      if (!candidates?.counts) return null;
      const place = placeInGroup(blockId);
      return {
        matches: candidates.counts[place] ?? 0,
        low: candidates.low[place] ?? 0,
        high: candidates.high[place] ?? 0,
      };
    },
  };
}

/** Null if the words of the group are not collected yet, or say nothing. */
function candidatesOf(
  rows: IndexRows,
  group: number,
  parts: readonly WordPart[],
  isInsideWord: boolean,
): GroupCandidates | null {
  const stored = rows.vocabulary.get(group);
  if (stored === undefined) return null;
  const vocabulary = unpackVocabulary(bytesOf(stored.words));
  const readPiece = (piece: number) => unpackPlaces(bytesOf(rows.places.get(pieceId(group, piece))?.places));
  const [first] = parts;
  const hits =
    isInsideWord && first !== undefined
      ? hitsOf(vocabulary, first, readPiece)
      : commonHits(vocabulary, parts, readPiece);
  // Cached results must not keep the words in memory.
  const known = Uint8Array.from(vocabulary.known);
  if (hits === null) return { known: known.fill(0), low: noBits, high: noBits, counts: null };
  return { known, low: hits.low, high: hits.high, counts: hits.counts };
}

const noBits = new Int32Array();

function keptOf(kept: GroupHitsCache, text: string): Map<number, GroupCandidates> {
  const known = kept.get(text);
  if (known !== undefined) return known;
  const groups = new Map<number, GroupCandidates>();
  kept.clear();
  kept.set(text, groups);
  return groups;
}
