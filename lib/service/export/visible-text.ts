/**
 * What a terminal obeys and does not show: colours and cursor movements, titles and hyperlinks, character sets. The lengths are
 * bounded, so that a sequence that never ends hides nothing and costs nothing.
 */
const terminalSequences = new RegExp(
  [
    "\\u001B\\[[0-9:;<=>?]{0,100}[ -/]{0,10}[@-~]",
    "\\u001B\\][^\\u0007\\u001B\\n]{0,2000}(?:\\u0007|\\u001B\\\\)",
    "\\u001B[()][A-Z0-9]",
    "\\u001B[=>78cDEHM]",
  ].join("|"),
  "g",
);

/** A run of one character that is not seen, or that changes the order of others. Line feeds and tabs are not meant. */
const invisible = new RegExp(
  [
    "([\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180E\\u200B",
    "\\u200E\\u200F\\u2028-\\u202E\\u2060-\\u206F\\u3164\\uFEFF\\uFFA0\\uFFF9-\\uFFFB\\u{E0000}-\\u{E007F}])\\1*",
  ].join(""),
  "gu",
);

/**
 * The text as it may be shown anywhere: terminal sequences are left out, each line ends in a line feed, and what is invisible
 * or turns the direction of writing is named (`⟨U+202E⟩`, `⟨U+0000 ×3⟩`). It is well-formed Unicode.
 */
export function visibleText(text: string): string {
  const shown = text.includes("\u001B") ? text.replace(terminalSequences, "") : text;
  return shown
    .replace(/\r\n?/g, "\n")
    .replace(invisible, (run, character: string) => {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
      const count = run.length / character.length;
      return count === 1 ? `⟨U+${code}⟩` : `⟨U+${code} ×${count}⟩`;
    })
    .toWellFormed();
}

/** {@link visibleText} on one line, cut at `charactersMax`. */
export function visibleLine(text: string, charactersMax = 200): string {
  const line = visibleText(text.slice(0, charactersMax * 4))
    .replace(/\s+/g, " ")
    .trim();
  return line.length > charactersMax ? `${line.slice(0, charactersMax).toWellFormed()}…` : line;
}
