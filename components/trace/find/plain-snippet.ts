import type { FindHit } from "#lib/contract/find.ts";

/** Sequences that colour a terminal, whole ones and what is left of one at a cut end. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what these sequences begin with.
const sequences = /\u001b\[[0-9;?]*[A-Za-z]|\u001b\[?[0-9;?]*$/g;

/** The snippet of a hit as it reads in a terminal, and where in it the match stands. */
export function plainSnippet({ snippet, snippet_start: start, snippet_length: length }: FindHit): {
  before: string;
  match: string;
  after: string;
} {
  const plain = (text: string) => text.replace(sequences, "");
  return {
    before: plain(snippet.slice(0, start)),
    match: snippet.slice(start, start + length),
    after: plain(snippet.slice(start + length)),
  };
}
