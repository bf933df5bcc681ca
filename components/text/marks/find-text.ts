/** A stretch of a text in UTF-16 units, `to` excluded. */
export type TextMatch = { from: number; to: number };

/** Longer texts are compared piece by piece: a lowered copy of 10 MB at once would be felt. */
const pieceLength = 262_144;

/** What is looked for, as texts are compared with it: the server lowers both sides the same way. */
export function needleOf(text: string): string {
  return text.toLowerCase();
}

/** Where a needle stands in a text, in order and not overlapping, at most `max` of them, from the unit `start` on. */
export function findMatches(text: string, needle: string, max = Number.POSITIVE_INFINITY, start = 0): TextMatch[] {
  const found: TextMatch[] = [];
  if (needle === "") return found;
  for (let from = start; from < text.length && found.length < max; ) {
    const end = Math.min(text.length, from + pieceLength);
    // A match may reach into the next piece; lowered it is never shorter than as it is written.
    const next = matchesInPiece(text, from, end, Math.min(text.length, end + needle.length), needle, max, found);
    from = Math.max(end, next);
  }
  return found;
}

/** Where the first match begins, or -1. */
export function indexOfMatch(text: string, needle: string): number {
  return findMatches(text, needle, 1)[0]?.from ?? -1;
}

/** Whether a text holds the needle. */
export function holds(text: string, needle: string): boolean {
  return indexOfMatch(text, needle) !== -1;
}

/** Whether a JSON value holds the needle in one of its texts or numbers. Names of keys do not count. */
export function valueHolds(value: unknown, needle: string): boolean {
  const rest = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next === "string" ? holds(next, needle) : typeof next === "number" && holds(String(next), needle)) {
      return true;
    }
    if (typeof next === "object" && next !== null) for (const child of Object.values(next)) rest.push(child);
  }
  return false;
}

/** Where a match stands: in which line (from 0), and as which match of that line (from 0). */
export type MatchPlace = { line: number; nth: number };

/** The place of the match that begins at `at`. */
export function placeOf(text: string, needle: string, at: number): MatchPlace {
  let line = 0;
  let start = 0;
  for (let end = text.indexOf("\n"); end !== -1 && end < at; end = text.indexOf("\n", start)) {
    line += 1;
    start = end + 1;
  }
  return { line, nth: findMatches(text.slice(start, at), needle).length };
}

/** Which row of a line that is shown in several rows holds a place, and as which match of the row; null where none does. */
export function rowOfPlace(
  rows: readonly { line: number; text: string }[],
  needle: string,
  { line, nth }: MatchPlace,
): { row: number; nth: number } | null {
  let before = 0;
  const first = rows.findIndex((row) => row.line === line);
  for (let row = first; row !== -1 && rows[row]?.line === line; row += 1) {
    const count = findMatches(rows[row]?.text ?? "", needle).length;
    if (nth < before + count) return { row, nth: nth - before };
    before += count;
  }
  // A match across two rows, or across a sequence that the terminal swallowed: the line itself is the best there is.
  return first === -1 ? null : { row: first, nth: 0 };
}

/** Adds the matches that begin in from..end; gives where the last of them ends. */
function matchesInPiece(
  text: string,
  from: number,
  end: number,
  reach: number,
  needle: string,
  max: number,
  found: TextMatch[],
): number {
  const piece = text.slice(from, reach);
  const lower = piece.toLowerCase();
  const original = lower.length === piece.length ? null : placesOfLowered(piece);
  let done = from;
  for (
    let at = lower.indexOf(needle);
    at !== -1 && found.length < max;
    at = lower.indexOf(needle, at + needle.length)
  ) {
    const start = from + (original === null ? at : (original[at] ?? 0));
    if (start >= end) break;
    const last = at + needle.length - 1;
    const stop = from + (original === null ? last : (original[last] ?? 0)) + 1;
    found.push({ from: start, to: stop });
    done = stop;
  }
  return done;
}

/** For each unit of the lowered text the unit it comes from: a few letters grow when they are lowered. */
function placesOfLowered(text: string): number[] {
  const places: number[] = [];
  let at = 0;
  for (const character of text) {
    const { length } = character.toLowerCase();
    for (let unit = 0; unit < length; unit += 1) places.push(at + Math.min(unit, character.length - 1));
    at += character.length;
  }
  return places;
}
