import type { TextPage } from "#components/text/text-lines.ts";
import { hasAnsi } from "#lib/entry/terminal-text.ts";
import type { CurrentMatch } from "./current-match.tsx";
import { findMatches, holds, indexOfMatch, type MatchPlace, placeOf } from "./find-text.ts";

/**
 * The page of a text that contains the match, and the match's position in that page; null if there is none. `plain`: the text without
 * its colors, in which `at` is a position; null if it has none.
 */
export function pageOfMatch(
  pages: readonly TextPage[],
  { needle, at }: Pick<CurrentMatch, "needle" | "at">,
  plain: string | null = null,
): { page: number; place: MatchPlace } | null {
  if (plain !== null && pages.some(({ text }) => hasAnsi(text))) {
    const place = placeOf(plain, needle, at ?? indexOfMatch(plain, needle));
    const page = pages.findIndex(({ firstLine, lastLine }) => place.line >= firstLine && place.line < lastLine);
    if (page === -1 || !holds(plain, needle)) return null;
    return { page, place: { ...place, line: place.line - (pages[page]?.firstLine ?? 0) } };
  }
  for (const [index, { text, start }] of pages.entries()) {
    if (at !== null && at >= start + text.length) continue;
    const place = at === null ? indexOfMatch(text, needle) : at - start;
    if (place >= 0) return { page: index, place: placeOf(text, needle, place) };
  }
  return null;
}

/** Whether a fold must be opened: the whole text contains the needle, and its folded form does not. */
export function isHidden(
  currentMatch: Pick<CurrentMatch, "needle" | "at"> | null,
  whole: string,
  shown: string,
): boolean {
  if (currentMatch === null || holds(shown, currentMatch.needle)) return false;
  return holds(whole, currentMatch.needle);
}

/** Part of a text that is certainly visible when its height is limited. */
const seenCharacters = 500;
const seenLines = 8;

/** Whether the first match is so far down that the folded form of the text may cut it off. */
export function isFarDown(currentMatch: Pick<CurrentMatch, "needle" | "at"> | null, text: string): boolean {
  if (currentMatch === null) return false;
  const [match] = findMatches(text, currentMatch.needle, 1);
  return match !== undefined && (match.to > seenCharacters || text.slice(0, match.to).split("\n").length > seenLines);
}
