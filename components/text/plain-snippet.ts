import type { FindHit } from "#lib/contract/logs/find.ts";
import { withoutSequences } from "#lib/entry/terminal-sequences.ts";

/** The rest of an escape sequence at a cut end. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with it.
const cutSequence = /\u001b\[?[0-9;?]*$/;

/** The snippet of a hit as a terminal would show it, and the position of the match in it. */
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
