import { sequenceStarts, terminalSequences } from "#lib/entry/terminal-sequences.ts";
import { lowerBound } from "#lib/lower-bound.ts";
import type { Span } from "./secret-shapes.ts";

const mayHold = new RegExp(`[${sequenceStarts}]|\\\\(?:u001[bB]|x1[bB]|033|e)\\[`);

/** A text without its terminal sequences, with a mapping of positions back to the original. */
export type Uncolored = { text: string; spanOf(span: Span): Span };

/** The visible text: a color code in a word does not hide the word, however it is written. */
export function withoutColors(text: string): Uncolored {
  if (!mayHold.test(text)) return { text, spanOf: (span) => span };
  const pieces: string[] = [];
  /** Beginning of each piece, without the sequences and with them. */
  const places: number[] = [];
  const origins: number[] = [];
  let length = 0;
  let end = 0;
  const add = (from: number, to: number) => {
    if (from === to) return;
    pieces.push(text.slice(from, to));
    places.push(length);
    origins.push(from);
    length += to - from;
  };
  for (const { from, to } of terminalSequences(text, { written: true })) {
    add(end, from);
    end = to;
  }
  add(end, text.length);
  const originOf = (place: number) => {
    const piece = Math.max(lowerBound(places, place + 1) - 1, 0);
    return (origins[piece] ?? 0) + place - (places[piece] ?? 0);
  };
  // Look up the last character, not the position after it: that may be behind a sequence.
  return { text: pieces.join(""), spanOf: ([from, to]) => [originOf(from), originOf(to - 1) + 1] };
}
