import { type TextHolder, visitTexts } from "#lib/entry/entry-text.ts";

/** Stands between two values; no text that is looked for can hold it. */
export const separator = "\u0000";

/**
 * All that is searched of an entry: its texts in lower case, one after the other with a separator between. A text occurs in a
 * value of the entry exactly where its lower case occurs in this. A half of a surrogate pair, which no text that is looked for
 * can match alone and UTF-8 cannot hold, has become a separator.
 */
export function searchTextOf(entry: TextHolder): string {
  const texts: string[] = [];
  visitTexts(entry, (text) => texts.push(lowerCaseOf(text)) > 0);
  return texts.join(separator);
}

/** A text as it is searched: in lower case, well-formed. */
export function lowerCaseOf(text: string): string {
  const lower = text.toLowerCase();
  return lower.isWellFormed() ? lower : lower.replace(/\p{Surrogate}/gu, separator);
}

const wordPattern = /[\p{L}\p{M}\p{N}]+/gu;

/** The words of a text in lower case, each once: letters and digits make words, everything else parts them. */
export function wordsOf(text: string): string[] {
  return [...new Set(text.toLowerCase().match(wordPattern) ?? [])];
}

const letterBefore = /[\p{L}\p{M}\p{N}]$/u;
const letterAfter = /^[\p{L}\p{M}\p{N}]/u;
/** Scripts that write words without spaces: there every place may be the beginning of one. */
const unspaced =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * The first place in a text (lower-case) where a word begins with `word` (lower-case), or null; one that is no longer than it is
 * preferred, and `isWhole`.
 */
export function findWord(text: string, word: string): { at: number; isWhole: boolean } | null {
  const anywhere = unspaced.test(word);
  let first: number | null = null;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
    if (!anywhere && letterBefore.test(text.slice(Math.max(at - 2, 0), at))) continue;
    const after = at + word.length;
    if (!letterAfter.test(text.slice(after, after + 2))) return { at, isWhole: true };
    first ??= at;
  }
  return first === null ? null : { at: first, isWhole: false };
}
