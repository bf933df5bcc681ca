import { lowerBound } from "#lib/lower-bound.ts";
import { groupBlocks } from "./slices.ts";
import { isWordByte } from "./tokens.ts";
import { piecePlaces, type Vocabulary, type WordPlaces } from "./vocabulary.ts";

/** Part of a text within one word: the word begins with it, ends with it, equals it, or contains it. */
export type WordPart = { bytes: Uint8Array; begins: boolean; ends: boolean };

/**
 * Matches in a group, by block: entries with a match, and the number of occurrences; `counts` null if only reading shows them.
 */
export type GroupHits = { low: Int32Array; high: Int32Array; counts: Float64Array | null };
type CountedHits = GroupHits & { counts: Float64Array };

/** A part found in more places than this is too common to be worth looking up, such as a single letter. */
const placesMax = 200_000;

/** Parts of a text (lower case) that lie in words; none if it has only punctuation and spaces. */
export function wordPartsOf(text: Uint8Array): WordPart[] {
  const parts: WordPart[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const start = at;
    while (at < text.length && isWordByte[text[at] ?? 0] === 1) at += 1;
    if (at > start) parts.push({ bytes: text.subarray(start, at), begins: start > 0, ends: at < text.length });
  }
  return parts;
}

/** Places of words with the part. `readPiece` returns the places of a piece. */
export function hitsOf(vocabulary: Vocabulary, part: WordPart, readPiece: (piece: number) => WordPlaces): CountedHits {
  const hits = noHits();
  const { firsts } = vocabulary;
  let piece = -1;
  let places: WordPlaces | null = null;
  visitWords(vocabulary, part, (word) => {
    const last = firsts[word + 1] ?? 0;
    for (let at = firsts[word] ?? 0; at < last; ) {
      const wanted = Math.floor(at / piecePlaces);
      if (places === null || piece !== wanted) {
        places = readPiece(wanted);
        piece = wanted;
      }
      const start = piece * piecePlaces;
      const end = Math.min(last, start + piecePlaces);
      addPlaces(hits, places, at - start, end - start);
      at = end;
    }
  });
  return hits;
}

/** Entries that contain all the parts: a text made of them can occur nowhere else. Null if all parts are too common. */
export function commonHits(
  vocabulary: Vocabulary,
  parts: readonly WordPart[],
  readPiece: (piece: number) => WordPlaces,
): GroupHits | null {
  let common: GroupHits | null = null;
  // The longest word is usually the rarest; if it does not occur, the others need not be looked up.
  for (const part of [...parts].sort((one, other) => other.bytes.length - one.bytes.length)) {
    if (placesOf(vocabulary, part) > placesMax) continue;
    const hits = hitsOf(vocabulary, part, readPiece);
    if (common === null) common = { ...hits, counts: null };
    else {
      for (let block = 0; block < groupBlocks; block += 1) {
        common.low[block] = (common.low[block] ?? 0) & (hits.low[block] ?? 0);
        common.high[block] = (common.high[block] ?? 0) & (hits.high[block] ?? 0);
      }
    }
    if (common.low.every((bits) => bits === 0) && common.high.every((bits) => bits === 0)) break;
  }
  return common;
}

/** Number of places of words with the part. */
function placesOf(vocabulary: Vocabulary, part: WordPart): number {
  const { firsts } = vocabulary;
  let places = 0;
  visitWords(vocabulary, part, (word) => {
    places += (firsts[word + 1] ?? 0) - (firsts[word] ?? 0);
  });
  return places;
}

/** Visits the words in order, each as often as it contains the part, from left to right without overlap. */
function visitWords({ text, ends }: Vocabulary, part: WordPart, visit: (word: number) => void): void {
  const needle = Buffer.concat([part.begins ? mark : none, part.bytes, part.ends ? mark : none]);
  const offset = part.begins ? 1 : 0;
  let word = 0;
  const found = (at: number) => {
    if (at >= (ends[word] ?? 0)) word = wordAt(ends, at, word);
    visit(word);
  };
  if (needle.length === 1) {
    // A single letter occurs so often that one call per occurrence costs more than examining every byte here.
    const [byte] = needle;
    for (let at = 0; at < text.length; at += 1) if (text[at] === byte) found(at);
    return;
  }
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + part.bytes.length)) found(at + offset);
}

/** The word that contains a byte; none before `from` does. */
function wordAt(ends: Uint32Array, at: number, from: number): number {
  let step = 1;
  let low = from;
  while (low + step < ends.length && (ends[low + step] ?? 0) <= at) {
    low += step;
    step *= 2;
  }
  return lowerBound(ends, at + 1, low, Math.min(low + step, ends.length - 1));
}

function addPlaces({ low, high, counts }: CountedHits, places: WordPlaces, from: number, to: number): void {
  // There are millions of places. The casts rest on the bounds.
  for (let at = from; at < to; at += 1) {
    const block = places.blocks[at] as number;
    low[block] = (low[block] as number) | (places.low[at] as number);
    high[block] = (high[block] as number) | (places.high[at] as number);
    counts[block] = (counts[block] as number) + (places.counts[at] as number);
  }
}

function noHits(): CountedHits {
  return {
    low: new Int32Array(groupBlocks),
    high: new Int32Array(groupBlocks),
    counts: new Float64Array(groupBlocks),
  };
}

const mark = Buffer.of(0);
const none = Buffer.alloc(0);
