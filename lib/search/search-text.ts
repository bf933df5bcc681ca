import { type TextHolder, visitTexts } from "#lib/entry/entry-text.ts";
import { foldCase } from "#lib/entry/fold-case.ts";

/** Separates two values; no search text can contain it. */
export const separator = "\u0000";

/**
 * Everything searchable in an entry: its texts folded (`foldCase`), with a separator between them. A text occurs in a value of the
 * entry exactly where its folded form occurs in this. Unpaired surrogates, which no search text can match and UTF-8 cannot
 * represent, become separators.
 */
export function searchTextOf(entry: TextHolder): string {
  const texts: string[] = [];
  visitTexts(entry, (text) => texts.push(foldedText(text)) > 0);
  return texts.join(separator);
}

/** Normalizes a search text: folded, well-formed. */
export function foldedText(text: string): string {
  const lower = foldCase(text);
  return lower.isWellFormed() ? lower : lower.replace(/\p{Surrogate}/gu, separator);
}

const wordPattern = /[\p{L}\p{M}\p{N}]+/gu;

/** Words of a text, folded, without duplicates: letters and digits make words, everything else separates them. */
export function wordsOf(text: string): string[] {
  return [...new Set(foldCase(text).match(wordPattern) ?? [])];
}

const letterBefore = /[\p{L}\p{M}\p{N}]$/u;
const letterAfter = /^[\p{L}\p{M}\p{N}]/u;
/** Scripts that write words without spaces: there every position may be the beginning of one. */
const unspaced =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * First position in a text (folded) where a word begins with `word` (folded), or null. An exact match is preferred, and
 * sets `isWhole`.
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
