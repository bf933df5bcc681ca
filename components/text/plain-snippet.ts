import type { FindHit } from "#lib/contract/find.ts";
import { withoutSequences } from "#lib/entry/terminal-sequences.ts";

/** What is left of a sequence at a cut end. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what a sequence begins with.
const cutSequence = /\u001b\[?[0-9;?]*$/;

/** The snippet of a hit as it reads in a terminal, and where in it the match stands. */
export function plainSnippet({ snippet, snippet_start: start, snippet_length: length }: FindHit): {
  before: string;
  match: string;
  after: string;
} {
  const plain = (text: string) => withoutSequences(text.replace(cutSequence, ""));
  return {
    before: plain(snippet.slice(0, start)),
    match: snippet.slice(start, start + length),
    after: plain(snippet.slice(start + length)),
  };
}
