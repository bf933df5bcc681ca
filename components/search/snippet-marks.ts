import { findMatches, needleOf, type TextMatch } from "#components/trace/find/find-text.ts";
import type { FindHit } from "#lib/contract/find.ts";

/** Where in a hit's snippet the words of a search stand, in order and not overlapping; the hit's own place where none does. */
export function snippetMarks(
  { snippet, snippet_start: start, snippet_length: length }: FindHit,
  text: string,
): TextMatch[] {
  const found = wordsOf(text)
    .flatMap((word) => findMatches(snippet, needleOf(word)))
    .filter(({ from }) => !isLetter(snippet.slice(0, from).at(-1)))
    .toSorted((one, other) => one.from - other.from || other.to - one.to);
  const marks: TextMatch[] = [];
  for (const match of found) if (match.from >= (marks.at(-1)?.to ?? 0)) marks.push(match);
  return marks.length > 0 || length === 0 ? marks : [{ from: start, to: start + length }];
}

/** What to look for within the run to come to this hit: what was typed where it stands there as it is, else the word that was found. */
export function findTextOf(hit: FindHit, text: string): string {
  const typed = text.trim();
  if (needleOf(hit.snippet).includes(needleOf(typed))) return typed;
  return hit.snippet.slice(hit.snippet_start, hit.snippet_start + hit.snippet_length) || typed;
}

function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}
