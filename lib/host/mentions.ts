import { blanked, readMarkdown } from "./markdown-marks.ts";

/** Elements whose text is code, and comments. */
const hidden = /<!--[\s\S]*?(?:-->|$)|<(code|kbd|pre|samp|script|style|tt)\b[^>]*>[\s\S]*?(?:<\/\1\s*>|$)/gi;

/** What continues a name. In these scripts words stand beside each other without spaces, and no name contains them. */
const letter =
  "[[\\p{L}\\p{N}\\p{M}]--[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]]";

/**
 * Whether the text mentions `@name` in its own words, outside quotations, code and comments: quoting somebody, or showing an example,
 * asks for nothing. A longer name, a team and an address are other names.
 */
export function mentions(text: string, names: readonly string[]): boolean {
  if (!names.some((name) => text.toLowerCase().includes(`@${name.toLowerCase()}`))) return false;
  const said = ownWords(text.replaceAll("\0", " ").replace(/\r\n?/g, "\n"));
  return names.some((name) => {
    const literal = name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
    // Underscores around it are marks of Markdown.
    return new RegExp(`(?<!${letter}_*|[@.\\/\\-])@${literal}(?!_*${letter}|-|[.\\/]${letter})`, "iv").test(said);
  });
}

/** The words of a Markdown text that its author wrote there to be read. */
function ownWords(text: string): string {
  const { marks, prose } = readMarkdown(text);
  const code = marks.filter(({ kind }) => kind !== "tag" && kind !== "comment");
  const shown = blanked(text, code);
  const kept = prose.filter(({ quoted }) => !quoted).map(({ from, to }) => shown.slice(from, to));
  return kept
    .join("\n")
    .replace(hidden, " ")
    .replace(/<\/?[a-z][^<>]*>/gi, " ");
}
