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

const roomKept = 256 * 1024;
let room = Buffer.allocUnsafe(roomKept);

/** {@link searchTextOf} in UTF-8. This is done to all text that is appended: each is written where it belongs, without a string of all. */
export function searchBytesOf(entry: TextHolder): Uint8Array {
  let end = 0;
  visitTexts(entry, (text) => {
    const lower = lowerCaseOf(text);
    // A unit of UTF-16 has at most three bytes.
    makeRoom(end, lower.length * 3 + 1);
    end += room.write(lower, end);
    room[end] = 0;
    end += 1;
    return true;
  });
  const bytes = Buffer.from(room.subarray(0, Math.max(end - 1, 0)));
  if (room.length > roomKept) room = Buffer.allocUnsafe(roomKept);
  return bytes;
}

/** A text as it is searched: in lower case, well-formed. */
export function lowerCaseOf(text: string): string {
  const lower = text.toLowerCase();
  return lower.isWellFormed() ? lower : lower.replace(/\p{Surrogate}/gu, separator);
}

function makeRoom(end: number, more: number): void {
  if (room.length >= end + more) return;
  const larger = Buffer.allocUnsafe(Math.max(room.length * 2, end + more));
  room.copy(larger, 0, 0, end);
  room = larger;
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
