/** Part of a sentence: words, or text between two backticks. `id` is its position, from 0. */
export type SentencePart = { id: number; text: string; isCode: boolean };

/** Splits a sentence at its `code`. A backtick without a partner on its line stays a character. */
export function codeSpansOf(sentence: string): SentencePart[] {
  return sentence
    .split(/`([^`\n]+)`/)
    .map((text, place) => ({ id: place, text, isCode: place % 2 === 1 }))
    .filter(({ text }) => text !== "");
}
