import { cutText } from "#lib/cut-text.ts";
import { withoutSequences } from "#lib/entry/terminal-sequences.ts";
import { replaceInvisible } from "#lib/entry/visible-text.ts";

/**
 * Text that is safe to show anywhere: terminal sequences are removed, each line ends in a line feed, and invisible
 * characters or those that change the text direction are named (`⟨U+202E⟩`, `⟨U+0000 ×3⟩`). The result is well-formed
 * Unicode.
 */
export function visibleText(text: string): string {
  const lines = withoutSequences(text).replace(/\r\n?/g, "\n");
  return replaceInvisible(lines, (label) => `⟨${label}⟩`).toWellFormed();
}

/** {@link visibleText} on one line, cut at `charactersMax`. */
export function visibleLine(text: string, charactersMax = 200): string {
  const line = visibleText(text.slice(0, charactersMax * 4))
    .replace(/\s+/g, " ")
    .trim();
  return line.length > charactersMax ? `${cutText(line, charactersMax)}…` : line;
}
