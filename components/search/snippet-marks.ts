import { findMatches, needleOf, type TextMatch } from "#components/text/marks/find-text.ts";
import { plainSnippet } from "#components/text/plain-snippet.ts";
import type { FindHit } from "#lib/contract/logs/find.ts";

/**
 * A hit's snippet in one line for display (a sign stands for a line's end, unless it is prose), with the positions of the search
 * words in it, in order and without overlap. If none of them occurs, the position of the hit itself.
 */
export function markedSnippet(hit: FindHit, text: string): { snippet: string; marks: TextMatch[] } {
  const plain = plainSnippet(hit);
  const sign = isProse(hit) ? " " : " ↵ ";
  const [before = "", match = "", after = ""] = [plain.before, plain.match, plain.after].map((part) =>
    part.replaceAll(/[^\S\n]*\n\s*/g, sign),
  );
  const snippet = before + match + after;
  const marks = marksOf(snippet, text);
  const own = { from: before.length, to: before.length + match.length };
  return { snippet, marks: marks.length > 0 || match === "" ? marks : [own] };
}

/** Whether the text around a hit is what somebody wrote, not what a tool was given or printed. */
export function isProse({ field, tool_name }: FindHit): boolean {
  return field === "thought" || (field === "observation" && tool_name === null);
}

/** Text to search for within the run to reach this hit: the typed text if it occurs there, otherwise the word that was found. */
export function findTextOf(hit: FindHit, text: string): string {
  const typed = text.trim();
  if (needleOf(hit.snippet).includes(needleOf(typed))) return typed;
  return hit.snippet.slice(hit.snippet_start, hit.snippet_start + hit.snippet_length) || typed;
}

function marksOf(snippet: string, text: string): TextMatch[] {
  const found = wordsOf(text)
    .flatMap((word) => findMatches(snippet, needleOf(word)))
    .filter(({ from }) => !isLetter(snippet.slice(0, from).at(-1)))
    .toSorted((one, other) => one.from - other.from || other.to - one.to);
  const marks: TextMatch[] = [];
  for (const match of found) if (match.from >= (marks.at(-1)?.to ?? 0)) marks.push(match);
  return marks;
}

function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}
