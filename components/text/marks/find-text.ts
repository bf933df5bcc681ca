import { foldCase } from "#lib/entry/fold-case.ts";

/** A range of a text in UTF-16 units; `to` is exclusive. */
export type TextMatch = { from: number; to: number };

/** Longer texts are searched piece by piece: lower-casing 10 MB at once would be noticeable. */
const pieceLength = 262_144;

/** The search text in the form that is compared with texts, as on the server. */
export function needleOf(text: string): string {
  return foldCase(text);
}

/** Matches of a needle in a text, in order and without overlap: at most `max`, from unit `start` on. */
export function findMatches(text: string, needle: string, max = Number.POSITIVE_INFINITY, start = 0): TextMatch[] {
  const found: TextMatch[] = [];
  if (needle === "") return found;
  for (let from = start; from < text.length && found.length < max; ) {
    const end = Math.min(text.length, from + pieceLength);
    // A match may extend into the next piece.
    const next = matchesInPiece(text, from, end, Math.min(text.length, end + needle.length), needle, max, found);
    from = Math.max(end, next);
  }
  return found;
}

/** Position of the first match, or -1. */
export function indexOfMatch(text: string, needle: string): number {
  return findMatches(text, needle, 1)[0]?.from ?? -1;
}

/** Whether a text contains the needle. */
export function holds(text: string, needle: string): boolean {
  return indexOfMatch(text, needle) !== -1;
}

/** Position of a match: its line, and its index among the matches of that line, both from 0. */
export type MatchPlace = { line: number; nth: number };

/** Position of the match that begins at `at`. */
export function placeOf(text: string, needle: string, at: number): MatchPlace {
  let line = 0;
  let start = 0;
  for (let end = text.indexOf("\n"); end !== -1 && end < at; end = text.indexOf("\n", start)) {
    line += 1;
    start = end + 1;
  }
  return { line, nth: findMatches(text.slice(start, at), needle).length };
}

/**
 * The row that shows a match of a line, and the match's index within that row; null if none does. A line may take several rows.
 */
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
  // The match spans two rows, or a sequence that the terminal swallowed: the line is the best approximation.
  return first === -1 ? null : { row: first, nth: 0 };
}

/** Adds the matches that begin in from..end. Returns where the last of them ends. */
function matchesInPiece(
  text: string,
  from: number,
  end: number,
  reach: number,
  needle: string,
  max: number,
  found: TextMatch[],
): number {
  const piece = foldCase(text.slice(from, reach));
  let done = from;
  for (
    let at = piece.indexOf(needle);
    at !== -1 && found.length < max;
    at = piece.indexOf(needle, at + needle.length)
  ) {
    const start = from + at;
    if (start >= end) break;
    done = start + needle.length;
    found.push({ from: start, to: done });
  }
  return done;
}
