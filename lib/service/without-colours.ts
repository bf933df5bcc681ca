import type { Span } from "./secret-shapes.ts";

/** Sequences that colour a terminal's text (ECMA-48, "Control sequences"), also as programs write them out in source and JSON. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what such a sequence begins with.
const sequence = /(?:\u001b|\\u001[bB]|\\x1[bB]|\\033|\\e)\[[0-9;:?]{0,64}[A-Za-z]/g;

/** A text without its colours, and how to find a place of it in the text that it came from. */
export type Uncoloured = { text: string; spanOf(span: Span): Span };

/** What a reader sees of a text: a colour in the middle or at the edge of a word hides no word. */
export function withoutColours(text: string): Uncoloured {
  if (!text.includes("[") || !sequence.test(text)) return { text, spanOf: (span) => span };
  sequence.lastIndex = 0;
  const pieces: string[] = [];
  /** Where each piece begins, without the sequences and with them. */
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
  for (const { index, 0: found } of text.matchAll(sequence)) {
    add(end, index);
    end = index + found.length;
  }
  add(end, text.length);
  const originOf = (place: number) => {
    let [low, high] = [0, places.length];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((places[middle] ?? 0) <= place) low = middle;
      else high = middle;
    }
    return (origins[low] ?? 0) + place - (places[low] ?? 0);
  };
  // The last character is looked up, not the place after it: that may lie behind a sequence.
  return { text: pieces.join(""), spanOf: ([from, to]) => [originOf(from), originOf(to - 1) + 1] };
}
