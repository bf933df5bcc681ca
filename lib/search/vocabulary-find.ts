import { lowerBound } from "#lib/lower-bound.ts";
import { isOneSpace, type Phrase } from "./code-pattern.ts";
import { groupBlocks, piecePlaces, type TokenPlaces, type Vocabulary } from "./vocabulary.ts";

/** Part of a text within one token: the token begins with it, ends with it, equals it, or contains it. */
type TokenPart = { bytes: Uint8Array; begins: boolean; ends: boolean };

/** What a group is asked for: entries with all parts; `isExact` if there is one part and it is the whole text. */
export type TokenQuery = { parts: readonly TokenPart[]; isExact: boolean };

/**
 * Matches in a group, by block: entries with a match, and the number of occurrences; `counts` null if only reading shows them.
 */
export type GroupHits = { low: Int32Array; high: Int32Array; counts: Float64Array | null };
type CountedHits = GroupHits & { counts: Float64Array };

/** A part found in more places than this is too common to be worth looking up, such as a single letter. */
const placesMax = 200_000;

/** What every entry with the text has. A single space may have no token. */
export function queryOfPhrase({ parts }: Phrase): TokenQuery {
  const found = parts.flatMap((part, index) =>
    isOneSpace(part) ? [] : [{ bytes: part.bytes, begins: index > 0, ends: index < parts.length - 1 }],
  );
  return { parts: found, isExact: parts.length === 1 && found.length === 1 };
}

/** What every entry has that contains all the words, which consist of letters and digits. */
export function queryOfWords(words: readonly string[]): TokenQuery {
  return { parts: words.map((word) => ({ bytes: Buffer.from(word), begins: false, ends: false })), isExact: false };
}

/** Matches of the query. `readPiece` returns the places of a piece. Null if all its parts are too common. */
export function hitsOf(
  vocabulary: Vocabulary,
  { parts, isExact }: TokenQuery,
  readPiece: (piece: number) => TokenPlaces,
): GroupHits | null {
  let common: GroupHits | null = null;
  // The longest part is usually the rarest; if it does not occur, the others need not be looked up.
  for (const part of [...parts].sort((one, other) => other.bytes.length - one.bytes.length)) {
    if (isExact) return hitsOfPart(vocabulary, part, readPiece);
    if (placesOf(vocabulary, part) > placesMax) continue;
    const hits = hitsOfPart(vocabulary, part, readPiece);
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

function hitsOfPart(vocabulary: Vocabulary, part: TokenPart, readPiece: (piece: number) => TokenPlaces): CountedHits {
  const hits = {
    low: new Int32Array(groupBlocks),
    high: new Int32Array(groupBlocks),
    counts: new Float64Array(groupBlocks),
  };
  const { firsts } = vocabulary;
  let piece = -1;
  let places: TokenPlaces | null = null;
  visitTokens(vocabulary, part, (token) => {
    const last = firsts[token + 1] ?? 0;
    for (let at = firsts[token] ?? 0; at < last; ) {
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

/** Number of places of tokens with the part. */
function placesOf(vocabulary: Vocabulary, part: TokenPart): number {
  const { firsts } = vocabulary;
  let places = 0;
  visitTokens(vocabulary, part, (token) => {
    places += (firsts[token + 1] ?? 0) - (firsts[token] ?? 0);
  });
  return places;
}

/**
 * Visits the tokens in order, each as often as it contains the part, from left to right without overlap. A token that contains
 * separators (between two texts of an entry) also begins and ends at these.
 */
function visitTokens({ text, ends }: Vocabulary, part: TokenPart, visit: (token: number) => void): void {
  const needle = Buffer.concat([part.begins ? mark : none, part.bytes, part.ends ? mark : none]);
  const offset = part.begins ? 1 : 0;
  let token = 0;
  const found = (at: number) => {
    if (at >= (ends[token] ?? 0)) token = tokenAt(ends, at, token);
    visit(token);
  };
  if (needle.length === 1) {
    // A single letter occurs so often that one call per occurrence costs more than examining every byte here.
    const [byte] = needle;
    for (let at = 0; at < text.length; at += 1) if (text[at] === byte) found(at);
    return;
  }
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + part.bytes.length)) found(at + offset);
}

/** The token that contains a byte; none before `from` does. */
function tokenAt(ends: Uint32Array, at: number, from: number): number {
  let step = 1;
  let low = from;
  while (low + step < ends.length && (ends[low + step] ?? 0) <= at) {
    low += step;
    step *= 2;
  }
  return lowerBound(ends, at + 1, low, Math.min(low + step, ends.length - 1));
}

function addPlaces({ low, high, counts }: CountedHits, places: TokenPlaces, from: number, to: number): void {
  // There are millions of places. The casts rest on the bounds.
  for (let at = from; at < to; at += 1) {
    const block = places.blocks[at] as number;
    low[block] = (low[block] as number) | (places.low[at] as number);
    high[block] = (high[block] as number) | (places.high[at] as number);
    counts[block] = (counts[block] as number) + (places.counts[at] as number);
  }
}

const mark = Buffer.of(0);
const none = Buffer.alloc(0);
