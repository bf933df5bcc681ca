import type { Token } from "markdown-it";
import MarkdownIt from "markdown-it";
import { cutText } from "#lib/cut-text.ts";
import { withoutDirectionMarks } from "#lib/entry/visible-text.ts";
import { type Outgoing, partsOf } from "#lib/host/outgoing.ts";

/** Characters of a message, as Slack recommends (https://docs.slack.dev/reference/methods/chat.postMessage), less code marks. */
const messageMax = 3900;
/** Characters of a piece of a longer line: the link to the run fits before it. */
const pieceMax = 3700;
/** Messages of a text; the rest is in the run. */
const messagesMax = 4;
/** Characters of an address that is linked. */
const addressMax = 2000;

/** A line of a message, in Slack's format; code is shown in one block with the code above it. */
type Line = { text: string; isCode: boolean };

const markdown = new MarkdownIt({ html: false });
markdown.validateLink = () => true;

/**
 * Markdown as messages in Slack's format (https://docs.slack.dev/messaging/formatting-message-text). They mention and notify
 * nobody. A block of code that does not fit into a message goes on in the next.
 */
export function slackMessages(text: Outgoing): string[] {
  const parts = partsOf(text);
  const sourceMax = messageMax * messagesMax;
  const written = parts.map((part) => {
    const source = withoutDirectionMarks("own" in part ? part.own : part.text);
    return { part, lines: linesOf(cutText(source, sourceMax)), isCut: source.length > sourceMax };
  });
  const whole = packed(joined(written));
  if (whole.length <= messagesMax && !written.some(({ isCut }) => isCut)) return whole;
  const leads = written.filter(({ part }) => "own" in part && part.leads === true);
  const rest = written.filter((one) => !leads.includes(one));
  const messages = packed(joined([...leads, ...rest])).slice(0, messagesMax);
  return messages.map((message, index) =>
    index < messages.length - 1 ? message : `${message}\n\n… The rest is in the run.`,
  );
}

/** Blocks with an empty line between them. */
function joined(blocks: readonly { lines: Line[] }[]): Line[] {
  const shown = blocks.filter(({ lines }) => lines.length > 0);
  return shown.flatMap(({ lines }, index) => (index === 0 ? lines : [plain(""), ...lines]));
}

const plain = (text: string): Line => ({ text, isCode: false });

/** Puts lines into messages, each with whole blocks of code. */
function packed(lines: readonly Line[]): string[] {
  const messages: Line[][] = [];
  for (const line of lines.flatMap(piecesOf)) {
    const last = messages.at(-1);
    if (last === undefined || shown([...last, line]).length > messageMax) messages.push([line]);
    else last.push(line);
  }
  return messages.map(shown).filter((message) => message !== "");
}

function shown(lines: readonly Line[]): string {
  let message = "";
  let isCode = false;
  for (const line of lines) {
    if (line.isCode !== isCode) message += "```\n";
    isCode = line.isCode;
    message += `${line.text}\n`;
  }
  return `${message}${isCode ? "```" : ""}`.replace(/^\n+|\s+$/g, "");
}

/** A line that is longer than a message, in pieces that end between words, and never within a link or an entity. */
function piecesOf({ text, isCode }: Line): Line[] {
  const pieces: Line[] = [];
  let left = text;
  while (left.length > pieceMax) {
    let piece = cutText(left, pieceMax);
    const space = piece.lastIndexOf(" ");
    if (!isCode && space > messageMax / 2) piece = piece.slice(0, space + 1);
    const [open, entity] = [piece.lastIndexOf("<"), piece.lastIndexOf("&")];
    if (open > Math.max(0, piece.lastIndexOf(">"))) piece = piece.slice(0, open);
    else if (entity > 0 && entity > piece.lastIndexOf(";")) piece = piece.slice(0, entity);
    pieces.push({ text: piece, isCode });
    left = left.slice(piece.length);
  }
  return [...pieces, { text: left, isCode }];
}

function linesOf(source: string): Line[] {
  return joined(blocksOf(markdown.parse(source, {}), source.split(/\r\n?|\n/)));
}

/** The outermost blocks of these tokens. */
function blocksOf(tokens: readonly Token[], source: readonly string[]): { type: string; lines: Line[] }[] {
  const blocks: { type: string; lines: Line[] }[] = [];
  let open = -1;
  for (const [at, token] of tokens.entries()) {
    if (open === -1) open = at;
    const block = tokens[open] ?? token;
    if (block.nesting === 1 && (at === open || token.level > block.level)) continue;
    blocks.push({ type: block.type, lines: linesIn(block, tokens.slice(open + 1, at), source) });
    open = -1;
  }
  return blocks;
}

function linesIn(block: Token, tokens: readonly Token[], source: readonly string[]): Line[] {
  const { type, content, children, map } = block;
  if (type === "inline")
    return inline(children ?? [])
      .split("\n")
      .map(plain);
  if (type === "hr") return [plain("———")];
  if (type === "fence" || type === "code_block") return codeOf(content.replace(/\n$/, ""));
  // Slack has no tables; as code, their columns stay where they are.
  if (type === "table_open") return codeOf(source.slice(map?.[0], map?.[1]).join("\n"));
  const blocks = blocksOf(tokens, source);
  // Items of a list follow each other without empty lines.
  if (type === "bullet_list_open") return blocks.flatMap(({ lines }) => marked(lines, "• "));
  const first = Number(block.attrGet("start") ?? 1);
  if (type === "ordered_list_open") return blocks.flatMap(({ lines }, index) => marked(lines, `${first + index}. `));
  if (type === "blockquote_open")
    return joined(blocks).map((line) => (line.text.startsWith(">") ? line : before("> ", line)));
  const lines = blocks.flatMap((inner) =>
    /_list_open$/.test(inner.type) ? inner.lines.map((line) => before("    ", line)) : inner.lines,
  );
  return type === "heading_open" ? lines.map(({ text }) => plain(`*${text.replaceAll("*", "")}*`)) : lines;
}

const before = (prefix: string, line: Line) => (line.isCode ? line : plain(prefix + line.text));

const marked = (lines: Line[], mark: string) => lines.map((line, index) => (index === 0 ? before(mark, line) : line));

const codeOf = (text: string) =>
  unfenced(escaped(text))
    .split("\n")
    .map((line) => ({ text: line, isCode: true }));

const marks: Record<string, string> = {
  ...{ strong_open: "*", strong_close: "*", em_open: "_", em_close: "_", s_open: "~", s_close: "~" },
  ...{ softbreak: "\n", hardbreak: "\n" },
};

function inline(tokens: readonly Token[]): string {
  let text = "";
  let link: { href: string; from: number } | null = null;
  for (const token of tokens) {
    if (token.type === "text") text += words(token.content);
    else if (token.type === "code_inline") text += `\`${unfenced(escaped(token.content))}\``;
    else if (token.type === "link_open") link = { href: String(token.attrGet("href") ?? ""), from: text.length };
    else if (token.type === "link_close" && link !== null) {
      text = text.slice(0, link.from) + linkOf(link.href, text.slice(link.from));
      link = null;
    } else if (token.type === "image" && link !== null) text += words(token.content);
    else if (token.type === "image") text += linkOf(String(token.attrGet("src") ?? ""), words(token.content));
    else text += marks[token.type] ?? "";
  }
  return text;
}

function linkOf(href: string, label: string): string {
  if (!/^(?:https?:\/\/|mailto:)/i.test(href)) return label;
  const address = escaped(href.replaceAll("|", "%7C").replaceAll(">", "%3E").replaceAll("<", "%3C"));
  // It would not fit into a message with others, and a part of it leads nowhere.
  if (address.length > addressMax) return label;
  const shownLabel = label.replaceAll("\n", " ");
  return shownLabel === "" || shownLabel === address ? `<${address}>` : `<${address}|${shownLabel}>`;
}

/** Slack decodes these three and no other (https://docs.slack.dev/messaging/formatting-message-text#escaping). */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Three backticks would begin or end a block of code. */
function unfenced(text: string): string {
  return text.replaceAll("```", "``\u2060`");
}

/** Words that mention no group, even where names are linked. */
function words(text: string): string {
  return unfenced(escaped(text)).replace(/@(?=here|channel|everyone)/gi, "@\u2060");
}
