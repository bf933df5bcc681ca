import type { MarkdownIt as Parser } from "markdown-it";
import MarkdownIt from "markdown-it";

/** A part of a Markdown text that is not prose. tag: an HTML tag; address: a link's target; span: code within a line. */
export type Mark = { from: number; to: number; kind: "fence" | "span" | "tag" | "comment" | "address" };

/** Prose: the text of a paragraph, heading or cell in parts by line, or a block of HTML. `quoted`: it is in a quotation. */
export type Prose = { from: number; to: number; quoted: boolean; isHtml: boolean };

/** Where a Markdown text has code, tags and addresses, and where prose. Lines that are neither, as definitions, are in no list. */
export type MarkdownMarks = {
  marks: Mark[];
  prose: Prose[];
  /** What ends a block of code that is open at the end of the text; null if none is. */
  openFence: string | null;
};

/** More brackets are no links: looking for the end of each would take too long. */
const bracketsMax = 1000;

/** Marks of a content as they are found; `depth`: how many images' texts are being read, whose positions are other ones. */
type InlineMarks = { marks: Mark[]; depth: number };

const inlineRules = ["text", "newline", "escape", "backticks", "autolink", "html_inline", "entity"];
const withHtml = [parser(true, true), parser(true, false)] as const;
const withoutHtml = [parser(false, true), parser(false, false)] as const;

/**
 * Reads a Markdown text by the rules of CommonMark with the tables of GitHub (https://github.github.com/gfm/). Lines must end in
 * LF or CRLF. Positions are those of the text. Without `html`, tags are words.
 */
export function readMarkdown(text: string, { html }: { html: boolean } = { html: true }): MarkdownMarks {
  const hasLinks = (text.match(/\[/g)?.length ?? 0) <= bracketsMax;
  const markdown = (html ? withHtml : withoutHtml)[hasLinks ? 0 : 1];
  const found: MarkdownMarks = { marks: [], prose: [], openFence: null };
  const lines = linesOf(text);
  const at = (line: number) => lines[line]?.from ?? text.length;
  let quotes = 0;
  let row = { line: 0, from: 0 };
  for (const token of markdown.parse(text, {})) {
    const [first, end] = token.map ?? [row.line, row.line + 1];
    if (token.type === "blockquote_open") quotes += 1;
    else if (token.type === "blockquote_close") quotes -= 1;
    else if (token.type === "tr_open") row = { line: first, from: at(first) };
    else if (token.type === "fence" || token.type === "code_block") {
      found.marks.push({ from: at(first), to: at(end), kind: "fence" });
      if (token.type === "fence" && token.level === 0)
        found.openFence = openFenceOf(text.slice(at(first), at(end)), token.markup);
      if (end < lines.length && text.slice(at(end)).trim() !== "") found.openFence = null;
    } else if (token.type === "html_block") {
      found.marks.push(...tagsIn(text.slice(at(first), at(end)), at(first)));
      found.prose.push({ from: at(first), to: at(end), quoted: quotes > 0, isHtml: true });
    } else if (token.type === "inline" && token.content.trim() !== "") {
      const isCell = token.map === null;
      const content = isCell ? token.content.replaceAll("|", "\\|") : token.content;
      const placed = isCell
        ? placeCell(text, content, row.from, at(row.line + 1))
        : placeLines(text, content, lines, first);
      if (placed === null) continue;
      if (isCell) row.from = placed.at(-1)?.to ?? row.from;
      for (const { from, to, prefix } of placed)
        found.prose.push({ from, to, quoted: quotes > 0 && prefix.includes(">"), isHtml: false });
      for (const mark of inlineMarks(markdown, content)) {
        const [from, to] = [positionOf(mark.from, placed), positionOf(mark.to - 1, placed) + 1];
        found.marks.push({ ...mark, from, to });
      }
    }
  }
  return found;
}

/** The text with spaces in place of these parts of it. */
export function blanked(text: string, marks: readonly Mark[]): string {
  let shown = "";
  let from = 0;
  for (const mark of marks) {
    if (mark.from < from) continue;
    shown += text.slice(from, mark.from) + " ".repeat(mark.to - mark.from);
    from = mark.to;
  }
  return shown + text.slice(from);
}

/** A line of a token's content and where it is in the text; `prefix`: what stands before it on the line. */
type Placed = { begin: number; length: number; from: number; to: number; prefix: string };

function linesOf(text: string): { from: number; to: number }[] {
  const lines: { from: number; to: number }[] = [];
  for (let from = 0; from <= text.length; ) {
    const end = text.indexOf("\n", from);
    lines.push({ from, to: end === -1 ? text.length : end });
    from = end === -1 ? text.length + 1 : end + 1;
  }
  return lines;
}

/** A container's marks and spaces are left out before each line of a content, and nothing after it but a heading's end. */
function placeLines(
  text: string,
  content: string,
  lines: { from: number; to: number }[],
  first: number,
): Placed[] | null {
  const placed: Placed[] = [];
  let begin = 0;
  for (const [index, line] of content.split("\n").entries()) {
    const shown = line.trim();
    const place = lines[first + index];
    const source = place === undefined ? "" : text.slice(place.from, place.to);
    const column = source.lastIndexOf(shown);
    if (place === undefined || column === -1) return null;
    const from = place.from + column;
    const skipped = line.indexOf(shown);
    placed.push({
      begin: begin + skipped,
      length: shown.length,
      from,
      to: from + shown.length,
      prefix: source.slice(0, column),
    });
    begin += line.length + 1;
  }
  return placed;
}

function placeCell(text: string, content: string, from: number, end: number): Placed[] | null {
  const at = text.indexOf(content, from);
  if (at === -1 || at + content.length > end) return null;
  return [{ begin: 0, length: content.length, from: at, to: at + content.length, prefix: text.slice(from, at) }];
}

function positionOf(position: number, placed: readonly Placed[]): number {
  let [first, end] = [0, placed.length];
  while (end - first > 1) {
    const middle = (first + end) >> 1;
    if ((placed[middle]?.begin ?? 0) <= position) first = middle;
    else end = middle;
  }
  const line = placed[first];
  return line === undefined ? 0 : line.from + Math.max(0, Math.min(position - line.begin, line.length));
}

function openFenceOf(block: string, markup: string): string | null {
  const lines = block.trimEnd().split("\n");
  const last = lines.at(-1)?.trim() ?? "";
  const isClosed = lines.length > 1 && last.length >= markup.length && last === (markup[0] ?? "").repeat(last.length);
  return isClosed ? null : markup;
}

function inlineMarks(markdown: Parser, source: string): Mark[] {
  const found: InlineMarks = { marks: [], depth: 0 };
  markdown.inline.parse(source, markdown, found, []);
  return found.marks;
}

const wholeTag =
  /<\/?[A-Za-z][A-Za-z0-9-]*(?:\s+[A-Za-z_:][\w:.-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?>/y;

/** Whole tags and comments of a piece of HTML. */
function tagsIn(html: string, offset: number): Mark[] {
  const found: Mark[] = [];
  const lastComment = html.lastIndexOf("-->");
  for (let at = html.indexOf("<"); at !== -1; at = html.indexOf("<", at)) {
    wholeTag.lastIndex = at;
    const isComment = html.startsWith("<!--", at) && at + 4 <= lastComment;
    const end = isComment ? html.indexOf("-->", at + 4) + 3 : wholeTag.test(html) ? wholeTag.lastIndex : -1;
    if (end !== -1) found.push({ from: offset + at, to: offset + end, kind: isComment ? "comment" : "tag" });
    at = end === -1 ? at + 1 : end;
  }
  return found;
}

function parser(html: boolean, hasLinks: boolean): Parser {
  const made = new MarkdownIt({ html });
  made.core.ruler.enableOnly(["normalize", "block"]);
  made.validateLink = () => true;
  const { ruler } = made.inline;
  const kinds = {
    backticks: "span",
    autolink: "address",
    html_inline: "tag",
    image: "address",
    link: "address",
  } as const;
  for (const [name, kind] of Object.entries(kinds)) {
    ruler.enableOnly([name]);
    const [rule] = ruler.getRules("");
    if (rule === undefined) throw new TypeError(`markdown-it has no rule ${name}`);
    ruler.at(name, (state, silent) => {
      const found = state.env as InlineMarks;
      const from = state.pos;
      const before = state.tokens.length;
      // A link's words are prose, and its target is not.
      const isLink = !silent && name === "link" && state.src[from] === "[";
      const begin = isLink ? Math.max(from, made.helpers.parseLinkLabel(state, from, true)) : from;
      if (name === "image") found.depth += 1;
      const isThere = rule(state, silent);
      if (name === "image") found.depth -= 1;
      // A backtick without another one is a character.
      const isCode = kind !== "span" || state.tokens.slice(before).some(({ type }) => type === "code_inline");
      if (isThere && !silent && isCode && found.depth === 0) {
        const isComment = kind === "tag" && state.src.startsWith("<!--", from);
        found.marks.push({ from: begin, to: state.pos, kind: isComment ? "comment" : kind });
      }
      return isThere;
    });
  }
  ruler.enableOnly(hasLinks ? [...inlineRules, "link", "image"] : inlineRules);
  return made;
}
