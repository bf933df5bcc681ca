import type { Part } from "./block.ts";
import { bytesOfCode, type CodedBlock, tokenOf } from "./code.ts";
import { isOneSpace, type Pattern, type Phrase, type PhrasePart, patternOf, wordFlags } from "./code-pattern.ts";

type Hit = (index: number, count: number) => void;
/** Codes of the entries to search. */
type Range = { begin: number; end: number };

/**
 * Calls `hit` for each entry of the range that contains the text, in order, with the number of occurrences, like countInBlock.
 */
export function countInCode(block: CodedBlock, phrase: Phrase, part: Part, hit: Hit): void {
  const range = { begin: part.from === 0 ? 0 : (block.ends[part.from - 1] ?? 0), end: block.ends[part.to] ?? 0 };
  const [first] = phrase.parts;
  if (first === undefined) return;
  if (phrase.parts.length === 1) countPart(block, first, part, hit);
  else {
    const pattern = patternOf(block, phrase);
    if (pattern !== null) countPattern(block, pattern, range, counterOf(block, part.from, hit));
  }
}

/** Text within a single token: counted in the distinct tokens. */
function countPart({ code, ends, stop, ...block }: CodedBlock, text: PhrasePart, part: Part, hit: Hit): void {
  const times = timesIn(block, text.bytes);
  const isSpace = isOneSpace(text);
  if (!isSpace && times.every((count) => count === 0)) return;
  const words = isSpace ? wordFlags(block) : new Uint8Array(times.length);
  let at = part.from === 0 ? 0 : (ends[part.from - 1] ?? 0);
  // Runs over every token: the casts rest on the bounds.
  for (let entry = part.from; entry <= part.to; entry += 1) {
    const end = ends[entry] ?? 0;
    let count = 0;
    let isAfterWord = 0;
    while (at < end) {
      let token = code[at] as number;
      at += 1;
      if (token >= stop) {
        token = tokenOf(token, code[at] as number, stop);
        at += 1;
      }
      const isWord = words[token] as number;
      // A single space between two words has no code.
      count += (times[token] as number) + (isWord & isAfterWord);
      isAfterWord = isWord;
    }
    if (count > 0) hit(entry, count);
  }
}

/** Number of occurrences in each token. */
function timesIn({ table, tokenEnds }: Pick<CodedBlock, "table" | "tokenEnds">, bytes: Uint8Array): Uint32Array {
  const times = new Uint32Array(tokenEnds.length);
  let token = 0;
  for (let at = table.indexOf(bytes); at !== -1; ) {
    while ((tokenEnds[token] ?? 0) <= at) token += 1;
    const isWhole = at + bytes.length <= (tokenEnds[token] ?? 0);
    if (isWhole) times[token] = (times[token] ?? 0) + 1;
    at = table.indexOf(bytes, isWhole ? at + bytes.length : at + 1);
  }
  return times;
}

type Counter = { add(place: number): void; end(): void };

/** Counts occurrences in the codes, which arrive in order, by entry. */
function counterOf({ ends }: CodedBlock, from: number, hit: Hit): Counter {
  let entry = from;
  let count = 0;
  const end = () => {
    if (count > 0) hit(entry, count);
    count = 0;
  };
  return {
    add(place) {
      if (place >= (ends[entry] ?? 0)) {
        end();
        while (place >= (ends[entry] ?? Number.POSITIVE_INFINITY)) entry += 1;
      }
      count += 1;
    },
    end,
  };
}

/** This few texts, or tokens, are searched one by one. */
const wholesMax = 8;
const tokensMax = 12;

/** Every entry ends with a separator, which the searched text never contains: no occurrence reaches into the next entry. */
function countPattern(block: CodedBlock, pattern: Pattern, range: Range, counter: Counter): void {
  const { code, stop } = block;
  const { isFirst, middle, isLast } = pattern;
  /** The last occurrence ends after this many bytes of the token there. */
  let usedPlace = -1;
  let used = 0;
  for (const place of placesOf(block, pattern, range)) {
    const after = place + middle.length;
    if (place === range.begin || after >= range.end) continue;
    const isLong = place - 2 >= range.begin && (code[place - 2] ?? 0) >= stop;
    const before = isLong ? tokenOf(code[place - 2] ?? 0, code[place - 1] ?? 0, stop) : (code[place - 1] ?? 0);
    if (isFirst[before] !== 1) continue;
    const next = code[after] ?? 0;
    const final = next < stop ? next : tokenOf(next, code[after + 1] ?? 0, stop);
    if (isLast[final] !== 1) continue;
    // Of overlapping occurrences, the leftmost counts.
    const beforePlace = isLong ? place - 2 : place - 1;
    if (beforePlace < usedPlace) continue;
    if (beforePlace === usedPlace && pattern.lengthOf(before) - pattern.firstBytes(before) < used) continue;
    usedPlace = after;
    used = pattern.lastBytes(final);
    counter.add(place);
  }
  counter.end();
}

/** Where a first token may end, in order; includes every place followed by the rest of the text. */
function placesOf(block: CodedBlock, pattern: Pattern, range: Range): number[] {
  const { firsts, middle, lasts } = pattern;
  const codesOf = (tokens: readonly number[]) => tokens.map((token) => Buffer.from(bytesOfCode(token, block.stop)));
  if (firsts.length * lasts.length <= wholesMax) {
    const ends = codesOf(lasts);
    const starts = codesOf(firsts);
    return placesOfAny(
      starts.flatMap((start) =>
        ends.map((end) => ({ codes: Buffer.concat([start, middle, end]), skipped: start.length })),
      ),
      block,
      range,
    );
  }
  if (middle.length > 0) return placesOfCodes(block, middle, range);
  if (Math.min(firsts.length, lasts.length) > tokensMax) return placesBetween(block, pattern, range);
  const sides =
    firsts.length < lasts.length
      ? codesOf(firsts).map((codes) => ({ codes, skipped: codes.length }))
      : codesOf(lasts).map((codes) => ({ codes, skipped: 0 }));
  return placesOfAny(sides, block, range);
}

/** Occurrences of any of these codes, in order; each match begins after this many bytes. */
function placesOfAny(all: readonly { codes: Buffer; skipped: number }[], block: CodedBlock, range: Range): number[] {
  const places = all.flatMap(({ codes, skipped }) =>
    placesOfCodes(block, codes, range).map((place) => place + skipped),
  );
  return all.length === 1 ? places : places.sort((one, other) => one - other);
}

/** Occurrences of consecutive codes. */
function placesOfCodes({ code, stop }: CodedBlock, codes: Buffer, { begin, end }: Range): number[] {
  const places: number[] = [];
  for (let at = code.indexOf(codes, begin); at !== -1 && at < end; at = code.indexOf(codes, at + 1)) {
    // Anywhere else it is the second byte of a code.
    if (at === begin || (code[at - 1] ?? 0) < stop) places.push(at);
  }
  return places;
}

/** Where a first token ends and a last one begins. Examines every token: the casts rest on the bounds. */
function placesBetween({ code, stop }: CodedBlock, { isFirst, isLast }: Pattern, { begin, end }: Range): number[] {
  const places: number[] = [];
  let isAfterFirst = false;
  for (let at = begin; at < end; ) {
    const place = at;
    let token = code[at] as number;
    at += 1;
    if (token >= stop) {
      token = tokenOf(token, code[at] as number, stop);
      at += 1;
    }
    if (isAfterFirst && isLast[token] === 1) places.push(place);
    isAfterFirst = isFirst[token] === 1;
  }
  return places;
}
