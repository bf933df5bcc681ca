import { bytesOf, type IndexRows } from "./index-rows.ts";
import { groupOf, pieceId, placeInGroup, unpackPlaces, unpackVocabulary } from "./vocabulary.ts";
import { type GroupHits, hitsOf, type TokenQuery } from "./vocabulary-find.ts";

/**
 * How often a text occurs in a block, and which entries contain it: bit `n % 32` of `n < 32 ? low : high` stands for entry n.
 */
export type BlockCount = { matches: number; low: number; high: number };

/** The index's knowledge of a text, without reading entries. */
export type BlockFilter = {
  /** False if the block cannot contain it. */
  mayContain(blockId: number): boolean;
  /** Occurrences in the block, if known from the tokens of its group; otherwise null. */
  count(blockId: number): BlockCount | null;
};

/** Matches in the `known` blocks of a group: bit `place % 8` of byte `place / 8`. */
type KnownHits = { known: Uint8Array; hits: GroupHits };

/** Cached matches by group; null for a group whose tokens do not help. The tokens of a group never change. */
export type GroupHitsCache = Map<number, KnownHits | null>;

/** Uses the tokens of a group if they are collected. */
export function blockFilter(rows: IndexRows, query: TokenQuery, cache: GroupHitsCache): BlockFilter {
  /** Null if the tokens of the block's group say nothing about it. */
  const hitsAt = (blockId: number): GroupHits | null => {
    const group = groupOf(blockId);
    let found = cache.get(group);
    if (found === undefined) {
      const stored = rows.vocabulary.get(group);
      if (stored === undefined) return null;
      found = knownHits(rows, group, bytesOf(stored.tokens), query);
      cache.set(group, found);
    }
    const place = placeInGroup(blockId);
    return found !== null && ((found.known[place >>> 3] ?? 0) & (1 << (place & 7))) !== 0 ? found.hits : null;
  };
  return {
    mayContain(blockId) {
      const hits = hitsAt(blockId);
      const place = placeInGroup(blockId);
      return hits === null || hits.low[place] !== 0 || hits.high[place] !== 0;
    },
    count(blockId) {
      const hits = hitsAt(blockId);
      if (hits === null || hits.counts === null) return null;
      const place = placeInGroup(blockId);
      return { matches: hits.counts[place] ?? 0, low: hits.low[place] ?? 0, high: hits.high[place] ?? 0 };
    },
  };
}

function knownHits(rows: IndexRows, group: number, stored: Uint8Array, query: TokenQuery): KnownHits | null {
  const vocabulary = unpackVocabulary(stored);
  const readPiece = (piece: number) => unpackPlaces(bytesOf(rows.places.get(pieceId(group, piece))?.places));
  const hits = hitsOf(vocabulary, query, readPiece);
  // Cached results must not keep the tokens in memory.
  return hits === null ? null : { known: Uint8Array.from(vocabulary.known), hits };
}
