import type { Token } from "markdown-it";
import MarkdownIt from "markdown-it";

/** Elements whose text is code, and comments. */
const hidden = /<!--[\s\S]*?(?:-->|$)|<(code|kbd|pre|samp|script|style|tt)\b[^>]*>[\s\S]*?(?:<\/\1\s*>|$)/gi;

/** What continues a name. In these scripts words stand beside each other without spaces, and no name contains them. */
const letter =
  "[[\\p{L}\\p{N}\\p{M}]--[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]]";

const markdown = new MarkdownIt({ html: true });

/**
 * Whether the text mentions `@name` in its own words, outside quotations, code and comments: quoting somebody, or showing an example,
 * asks for nothing. A longer name, a team and an address are other names.
 */
export function mentions(text: string, names: readonly string[]): boolean {
  if (!names.some((name) => text.toLowerCase().includes(`@${name.toLowerCase()}`))) return false;
  // Looking for the end of each of many brackets would take too long.
  const isLinked = text.split("[").length <= 1000;
  const said = ownWords(text.replace(isLinked ? /\0/g : /[\0[]/g, " ").replace(/\r\n?/g, "\n"));
  return names.some((name) => {
    const literal = name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
    // Underscores around it are marks of Markdown.
    return new RegExp(`(?<!${letter}_*|[@.\\/\\-])@${literal}(?!_*${letter}|-|[.\\/]${letter})`, "iv").test(said);
  });
}

/** The words of a Markdown text that its author wrote there to be read. */
function ownWords(text: string): string {
  const lines = text.split("\n");
  const said: string[] = [];
  let quotes = 0;
  for (const { type, content, map, children } of markdown.parse(text, {})) {
    if (type === "blockquote_open") quotes += 1;
    else if (type === "blockquote_close") quotes -= 1;
    else if (type === "html_block" && quotes === 0) said.push(content);
    else if (type === "inline" && quotes === 0) said.push(wordsOf(children));
    else if (type === "inline") {
      // A line below a quotation, without its mark, belongs to it for Markdown, and not for its author.
      const isOwn = (_: string, index: number) => !/^[\s\d.)*+-]*>/.test(lines[(map?.[0] ?? Infinity) + index] ?? ">");
      const own = content.split("\n").filter(isOwn).join("\n");
      said.push(wordsOf(markdown.parseInline(own, {})[0]?.children ?? null));
    }
  }
  return said
    .join("\n")
    .replace(hidden, " ")
    .replace(/<\/?[a-z][^<>]*>/gi, " ");
}

function wordsOf(tokens: Token[] | null): string {
  const isWords = (type: string) => /^(?:text|text_special|html_inline)$/.test(type);
  const parts = (tokens ?? []).map(({ type, content, markup }) => {
    if (isWords(type)) return content;
    return /^(?:em|strong|s)_/.test(type) ? markup : type === "softbreak" ? "\n" : " ";
  });
  return parts.join("");
}
