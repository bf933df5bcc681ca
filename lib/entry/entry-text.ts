/** Fields of an entry with readable text, in the order they are searched and shown. */
export const textFields = ["thought", "tool_name", "tool_input", "tool_output", "observation"] as const;

/** An entry's text fields; each may hold any JSON. */
export type TextHolder = { readonly [field in (typeof textFields)[number]]?: unknown };

type Frame = { container: object; values: unknown[]; at: number };

/**
 * Visits every text of an entry in order: all strings at any depth and all numbers as JavaScript writes them, each separately;
 * keys, booleans and nulls are skipped. `pathOf` returns the path of the visited text, as in `clipped`: `tool_output.output`. A
 * visitor that returns false ends the visit.
 */
export function visitTexts(entry: TextHolder, visit: (text: string, pathOf: () => string) => boolean): void {
  for (const field of textFields) {
    // An explicit stack: a tool's result may be nested deeper than the call stack allows.
    const frames: Frame[] = [{ container: entry, values: [entry[field]], at: 0 }];
    const pathOf = () =>
      [field, ...frames.slice(1).map(({ container, at }) => Object.keys(container)[at - 1])].join(".");
    for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
      if (frame.at === frame.values.length) {
        frames.pop();
        continue;
      }
      const value = frame.values[frame.at];
      frame.at += 1;
      if (typeof value === "string" || typeof value === "number") {
        if (visit(String(value), pathOf) === false) return;
      } else if (typeof value === "object" && value !== null) {
        frames.push({ container: value, values: Array.isArray(value) ? value : Object.values(value), at: 0 });
      }
    }
  }
}

/** A text with the part that matched: `length` UTF-16 units from `start`. */
export type Matched = { path: string; text: string; start: number; length: number };

/** First place in an entry whose text, by JavaScript's toLowerCase, contains `needle` (already lower case), or null. */
export function firstMatch(entry: TextHolder, needle: string): Matched | null {
  let found: Matched | null = null;
  visitTexts(entry, (text, pathOf) => {
    const lower = text.toLowerCase();
    const at = lower.indexOf(needle);
    if (at === -1) return true;
    found = matchAt(pathOf(), text, lower, at, needle.length);
    return false;
  });
  return found;
}

/** Range in a text whose lower case has `length` units at `at`. */
export function matchAt(path: string, text: string, lower: string, at: number, length: number): Matched {
  const start = placeBefore(text, lower, at);
  return { path, text, start, length: placeBefore(text, lower, at + length - 1) + 1 - start };
}

/** Number of occurrences of `needle` (lower case) in the texts of an entry, counted from left to right without overlap. */
export function countMatches(entry: TextHolder, needle: string): number {
  let count = 0;
  visitTexts(entry, (text) => {
    const lower = text.toLowerCase();
    for (let at = lower.indexOf(needle); at !== -1; at = lower.indexOf(needle, at + needle.length)) count += 1;
    return true;
  });
  return count;
}

/** Position in `text` of the unit `at` of its lower case. */
function placeBefore(text: string, lower: string, at: number): number {
  // Nothing becomes shorter in lower case, so with equal lengths the positions are the same.
  if (lower.length === text.length) return at;
  let place = 0;
  let passed = 0;
  for (const character of text) {
    passed += character.toLowerCase().length;
    if (passed > at) {
      // Within a surrogate pair, the unit itself.
      const isPair = character.length === 2 && character.toLowerCase().length === 2;
      return isPair && passed - at === 1 ? place + 1 : place;
    }
    place += character.length;
  }
  return place;
}

const snippetCharacters = 200;
const charactersBefore = 60;

/** A longer word is cut if a snippet begins or ends in it. */
const wordCharactersMax = 24;

/** First word that begins at or after `from`, before `limit`; `from` itself in the middle of a long word. */
function wordBeginAfter(text: string, from: number, limit: number): number {
  for (let at = from; at <= Math.min(from + wordCharactersMax, limit); at += 1) {
    if (isSpace(text, at - 1) && !isSpace(text, at)) return at;
  }
  return from;
}

/** Last word that ends at or before `to`, after `limit`; `to` itself in the middle of a long word. */
function wordEndBefore(text: string, to: number, limit: number): number {
  for (let at = to; at >= Math.max(to - wordCharactersMax, limit); at -= 1) {
    if (isSpace(text, at) && !isSpace(text, at - 1)) return at;
  }
  return to;
}

function isSpace(text: string, at: number): boolean {
  return text[at]?.trim() === "";
}

/**
 * At most 200 UTF-16 units around a match, in whole words unless they are long, never half a character; `start` and `length`
 * locate the match in it.
 */
export function snippetOf({ text, start, length }: Matched): { snippet: string; start: number; length: number } {
  const before = Math.min(charactersBefore, Math.max(snippetCharacters - length, 0));
  let from = Math.max(Math.min(start - before, text.length - snippetCharacters), 0);
  if (from > start) from = start;
  let to = Math.min(from + snippetCharacters, text.length);
  if (from > 0) from = wordBeginAfter(text, from, start);
  if (to < text.length) to = wordEndBefore(text, to, start + length);
  if (isSecondHalf(text, from)) from += 1;
  if (isSecondHalf(text, to)) to -= 1;
  return { snippet: text.slice(from, to), start: start - from, length: Math.min(length, to - start) };
}

function isSecondHalf(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  const earlier = text.charCodeAt(at - 1);
  return unit >= 0xdc00 && unit <= 0xdfff && earlier >= 0xd800 && earlier <= 0xdbff;
}
