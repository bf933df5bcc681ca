import { parseExactJson } from "#lib/contract/exact-json.ts";
import { fieldsOf, stringField } from "#lib/contract/json-fields.ts";
import type { FindHit } from "#lib/contract/logs/find.ts";
import { countMatches, firstMatch, type Matched, snippetOf, visitTexts } from "#lib/entry/entry-text.ts";
import { foldCase } from "#lib/entry/fold-case.ts";
import { findWord } from "./search-text.ts";

/** A search: a text, or words each of which may be the beginning of a longer one; folded. */
export type HitQuery = { needle: string } | { words: readonly string[] };

/** An entry of a run, as JSON text. */
export type FoundEntry = { seq: number; body: string };

/** An entry with the place of the match; null if it does not match. */
export function hitOf({ seq, body }: FoundEntry, query: HitQuery): FindHit | null {
  const entry = fieldsOf(parseExactJson(body));
  const found =
    "words" in query
      ? bestMatch(entry, query.words)
      : { match: firstMatch(entry, query.needle), matches: countMatches(entry, query.needle) };
  if (found.match === null) return null;
  const { snippet, start, length } = snippetOf(found.match);
  return {
    seq,
    message_type: stringField(entry, "message_type") ?? "",
    tool_name: stringField(entry, "tool_name"),
    field: found.match.path,
    snippet,
    snippet_start: start,
    snippet_length: length,
    matches: found.matches,
  };
}

/** The value in which most of the words begin, at the longest of them; `matches` counts the values in which any does. */
function bestMatch(
  entry: Record<string, unknown>,
  words: readonly string[],
): { match: Matched | null; matches: number } {
  const best: { match: Matched | null; words: number } = { match: null, words: 0 };
  let matches = 0;
  const longestFirst = [...words].sort((one, other) => other.length - one.length);
  visitTexts(entry, (text, pathOf) => {
    const lower = foldCase(text);
    const places = longestFirst.flatMap((word) => {
      const found = findWord(lower, word);
      return found === null ? [] : [{ at: found.at, length: word.length }];
    });
    const [first] = places;
    if (first === undefined) return true;
    matches += 1;
    if (places.length > best.words) {
      best.words = places.length;
      best.match = { path: pathOf(), text, start: first.at, length: first.length };
    }
    return true;
  });
  return { match: best.match, matches };
}
