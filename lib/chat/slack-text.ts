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
  const whole = packed(joined(written.map(({ lines }) => lines)));
  if (whole.length <= messagesMax && !written.some(({ isCut }) => isCut)) return whole;
  const leads = written.filter(({ part }) => "own" in part && part.leads === true);
  const rest = written.filter((one) => !leads.includes(one));
  const messages = packed(joined([...leads, ...rest].map(({ lines }) => lines))).slice(0, messagesMax);
  return messages.map((message, index) =>
    index < messages.length - 1 ? message : `${message}\n\n… The rest is in the run.`,
  );
}

function joined(blocks: Line[][]): Line[] {
  return blocks
    .filter((lines) => lines.length > 0)
    .flatMap((lines, index) => (index === 0 ? lines : [plain(""), ...lines]));
}

const plain = (text: string): Line => ({ text, isCode: false });

/** Puts lines into messages, each with whole blocks of code. */
function packed(lines: readonly Line[]): string[] {
  const messages: string[] = [];
  let open: Line[] = [];
  let length = 0;
  const end = () => {
    const message = shown(open);
    if (message !== "") messages.push(message);
    open = [];
    length = 0;
  };
  for (const line of lines.flatMap(piecesOf)) {
    const marks = line.isCode === (open.at(-1)?.isCode ?? false) ? 0 : 8;
    if (length + line.text.length + 1 + marks > messageMax) end();
    open.push(line);
    length += line.text.length + 1 + marks;
  }
  end();
  return messages;
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
  const lines: Line[] = [];
  const sourceLines = source.split(/\r\n?|\n/);
  const lists: { next: number | null }[] = [];
  let quotes = 0;
  let mark = "";
  let isFirst = true;
  let isTable = false;
  let isHeading = false;
  const add = (text: string, isCode: boolean) => {
    const indent = "    ".repeat(Math.max(0, lists.length - 1));
    for (const [index, line] of text.split("\n").entries()) {
      if (isCode) lines.push({ text: line, isCode });
      else lines.push(plain(`${quotes > 0 ? "> " : ""}${indent}${index === 0 ? mark : ""}${line}`));
    }
    mark = "";
  };
  for (const token of markdown.parse(source, {})) {
    const isBlock = /^(?:inline|fence|code_block|hr)$/.test(token.type) && !isTable;
    // Items of a list follow each other without empty lines.
    if ((isBlock || token.type === "table_open") && !isFirst && (lists.length === 0 || token.type !== "inline"))
      lines.push(plain(quotes > 0 && lines.at(-1)?.text.startsWith("> ") ? ">" : ""));
    if (isBlock) isFirst = false;
    if (token.type === "heading_open") isHeading = true;
    else if (token.type === "heading_close") isHeading = false;
    else if (token.type === "blockquote_open") quotes += 1;
    else if (token.type === "blockquote_close") quotes -= 1;
    else if (token.type === "bullet_list_open") {
      if (lists.length === 0 && !isFirst) lines.push(plain(""));
      lists.push({ next: null });
    } else if (token.type === "ordered_list_open") {
      if (lists.length === 0 && !isFirst) lines.push(plain(""));
      lists.push({ next: Number(token.attrGet("start") ?? 1) });
    } else if (/_list_close$/.test(token.type)) lists.pop();
    else if (token.type === "list_item_open") {
      const list = lists.at(-1);
      mark = list?.next == null ? "• " : `${list.next}. `;
      if (list?.next != null) list.next += 1;
    } else if (token.type === "table_open") {
      // Slack has no tables; as code, their columns stay where they are.
      const [first = 0, end = 0] = token.map ?? [];
      add(unfenced(escaped(sourceLines.slice(first, end).join("\n"))), true);
      isTable = true;
    } else if (token.type === "table_close") isTable = false;
    else if (token.type === "hr") add("———", false);
    else if (token.type === "fence" || token.type === "code_block") {
      add(unfenced(escaped(token.content.replace(/\n$/, ""))), true);
    } else if (token.type === "inline" && !isTable) {
      const said = inline(token.children ?? []);
      add(isHeading ? `*${said.replaceAll("*", "")}*` : said, false);
    }
  }
  return lines;
}

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
