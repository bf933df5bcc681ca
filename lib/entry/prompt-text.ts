/** A prompt without what no reader sees of it: a byte order mark, empty lines at the beginning, white space at the end. */
export function trimmedPrompt(text: string): string {
  return text
    .replace(/^\uFEFF/, "")
    .replace(/^(?:[ \t]*\r?\n)+/, "")
    .trimEnd();
}

/**
 * What the words after a fence say: its language ("" if none), and its file, as in `ts path=src/a.ts`, `path="a b.ts"`, or
 * `path=a b.ts` if nothing else with `=` follows. `path` null: none is named.
 */
export function fenceInfo(info: string): { language: string; path: string | null } {
  const found = /(?:^|\s)path=(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^=\s]*(?:[ \t]+[^=\s]+)*[ \t]*$|\S*))/.exec(info);
  const [whole, doubled, single, bare] = found ?? [];
  const path = found === null ? null : (doubled?.replace(/\\(.)/g, "$1") ?? single ?? bare?.trim() ?? "");
  const [language = ""] = info
    .replace(whole ?? "", " ")
    .trim()
    .split(/\s+/);
  return { language, path };
}
