import { lowerBound } from "#lib/lower-bound.ts";
import { sequenceStarts, terminalSequences, withoutSequences, writtenEscape } from "./terminal-sequences.ts";

/** Range in a text, in UTF-16 units; the end is exclusive. */
export type Span = readonly [start: number, end: number];

/** Finds ranges of a text. */
export type Find = (text: string) => Span[];

/** Line breaks, real ones and those written as in source code and JSON. */
export const lineBreaks = /[\r\n]|\\{1,8}[rn]/g;

/** Also colors, whose escape may be written too. */
const breaks = new RegExp(`${lineBreaks.source}|(?:\\u001B|${writtenEscape})\\[(?:[ -?]{0,256}[@-~])?`, "g");
const hasOthers = new RegExp(`[${sequenceStarts}]`);

/**
 * Ranges that `find` finds in a text without line breaks and terminal sequences: of a word that was wrapped or colored, what is left.
 * Sequences other than colors can contain text, so a text that has some is searched both with and without them.
 */
export function findUnbroken(text: string, find: Find): Span[] {
  const joined = text.replace(breaks, "");
  const spans = originsOf(find(joined), () =>
    Array.from(text.matchAll(breaks), ({ index, 0: part }) => ({ from: index, to: index + part.length })),
  );
  return hasOthers.test(joined) ? [...spans, ...findUncolored(text, (plain) => findUnbroken(plain, find))] : spans;
}

/** Ranges that `find` finds in a text without its terminal sequences, also written ones (`\u001b[31m`). */
export function findUncolored(text: string, find: Find): Span[] {
  return originsOf(find(withoutSequences(text, { written: true })), () => terminalSequences(text, { written: true }));
}

/** Ranges of a text without some parts, which are given in order, as ranges of the whole text. */
function originsOf(spans: Span[], parts: () => Iterable<{ from: number; to: number }>): Span[] {
  if (spans.length === 0) return spans;
  /** Where what follows each part begins, without the parts and with them. */
  const places = [0];
  const origins = [0];
  let left = 0;
  for (const { from, to } of parts()) {
    left += to - from;
    places.push(to - left);
    origins.push(to);
  }
  const originOf = (place: number) => {
    const before = lowerBound(places, place + 1) - 1;
    return (origins[before] ?? 0) + place - (places[before] ?? 0);
  };
  // The last character, not the position after it: that may be behind a part.
  return spans.map(([from, to]) => [originOf(from), originOf(to - 1) + 1]);
}
