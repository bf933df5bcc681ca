/** A word, a name in camel case, or a version of one: `oauth2`, `getUserName`, `x509`, `sha256sum`. Also nothing, and a number. */
const word = /^(?:(?:[A-Z]{1,16}|[A-Z]?[a-z]{1,16}(?:[A-Z][a-z]{2,15}){0,4})?\d{0,4}(?:[a-z]{3,16}\d{0,4})?|\d+)$/;

/** Whether letters and digits are a word or a number, as they occur in ordinary text, rather than random. */
export function isWord(text: string): boolean {
  return word.test(text);
}

/** Dates, also with a time, as they are in names of files. */
export const dates =
  /(?<![A-Za-z0-9])(?:19|20)\d\d([-_/.]?)(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])(?:[T_ -]?[0-2]\d([-_:.]?)[0-5]\d(?:\2[0-5]\d(?:[.,]\d{1,9})?)?(?:Z|[+-][01]\d(?::?[0-5]\d)?)?)?(?![A-Za-z0-9])/gi;

const wordMax = 20;
const wordsMax = 12;

/**
 * Whether a value is a word, or words and numbers short enough to occur in ordinary text: `password`, `Workspace2024`, `my-app-2`.
 * As a secret it is masked wherever it occurs, and it is not searched for in commits.
 */
export function isOrdinary(value: string): boolean {
  if (value.length < wordsMax) return value.split(/[^A-Za-z0-9]+/).every(isWord);
  return value.length < wordMax && isWord(value);
}

const valueMin = 8;

/** What a person who enters such a value as a key should know; null for any other, and while it is too short for a key. */
export function ordinaryWarning(value: string): string | null {
  if (value.length < valueMin || !isOrdinary(value)) return null;
  return "It is a common word: it is masked wherever it occurs in a run's log, and commits that contain it can still be pushed.";
}
