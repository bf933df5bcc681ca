import type { MarkdownIt as Parser, Token } from "markdown-it";
import { newMarkdown } from "#lib/entry/prompt-markdown.ts";
import { fenceInfo, trimmedPrompt } from "#lib/entry/prompt-text.ts";

const blockTags = ["p", "blockquote", "ul", "ol", "li", "h1", "h2", "h3", "h4", "h5", "h6"] as const;
const tableTags = ["table", "thead", "tbody", "tr", "th", "td"] as const;
const markdownTags = [...blockTags, ...tableTags, "strong", "em", "s"] as const;

/** Elements that a markdown text can become. Everything else in it stays text. */
export type MarkdownTag = (typeof markdownTags)[number];

/**
 * A node of a rendered markdown text. `id` is unique in it; `href` is null if the target may not be linked; `target` is the
 * original.
 */
export type MarkdownNode =
  | { id: number; kind: "text"; text: string }
  | { id: number; kind: "code"; text: string }
  | { id: number; kind: "fence"; text: string; language: string; path?: string }
  | { id: number; kind: "break" }
  | { id: number; kind: "rule" }
  | { id: number; kind: "image"; alt: string; target: string; href: string | null }
  | { id: number; kind: "link"; target: string; href: string | null; children: MarkdownNode[] }
  | {
      id: number;
      kind: "element";
      tag: MarkdownTag;
      start: number | null;
      isDone: boolean | null;
      align: Align;
      /** Of a heading: its level in the text's outline, from 1, which never skips one. Null for all others. */
      level: number | null;
      children: MarkdownNode[];
    };

type Align = "left" | "center" | "right" | null;
type ElementNode = Extract<MarkdownNode, { kind: "element" }>;
type Parent = { node: ElementNode | null; children: MarkdownNode[] };

/** Longer texts, in UTF-16 units, are shown as plain text. */
export const markdownLengthMax = 32_768;
/** Texts with more nodes are shown as plain text: rendering would take too long. */
export const markdownNodesMax = 2_500;
const depthMax = 40;

/** Maximum number of marks; no answer written to be read comes near, and beyond it parsing costs more than reading is worth. */
const marksMax: [mark: RegExp, max: number][] = [
  [/\r\n?|\n/g, 1_000],
  [/\[/g, 500],
  [/\|/g, 4_000],
  [/^[^\n]*(?:\|[^\n|]*){100}/gm, 0],
  [/[*_~]/g, 6_000],
  [/`+/g, 3_000],
  // Each code block is a card with a button.
  [/^[ \t>]*(?:```|~~~)/gm, 200],
  [/^[ \t]*(?:[-+*>#=]|\d+[.)])/gm, 1_500],
  [/[<&\\]/g, 6_000],
];
const linksMax = 300;

const parsers = {
  text: { withLinks: parser(false, true), withoutLinks: parser(false, false) },
  prompt: { withLinks: parser(true, true), withoutLinks: parser(true, false) },
};

const tags = new Map<string, MarkdownTag>(markdownTags.map((tag) => [tag, tag]));

/**
 * Parses a markdown text into nodes, or returns null if it must be shown as plain text: too long, nested too deeply, or with
 * more marks than text. Never throws. HTML in it is text, and of a prompt (`isPrompt`) blocks of HTML are nothing else, as for the
 * agent that runs its code blocks; the nodes contain no markup to interpret again.
 */
export function parseMarkdown(written: string, isPrompt = false): MarkdownNode[] | null {
  const text = isPrompt ? trimmedPrompt(written) : written;
  if (text.length > markdownLengthMax) return null;
  for (const [mark, max] of marksMax) if (countUpTo(text, mark, max) > max) return null;
  const hasManyLinks = countUpTo(text, /:\/\/|@|www\.|mailto:/gi, linksMax) > linksMax;
  const root: MarkdownNode[] = [];
  const build = new Builder(root);
  const { withLinks, withoutLinks } = parsers[isPrompt ? "prompt" : "text"];
  return build.addAll((hasManyLinks ? withoutLinks : withLinks).parse(text, {})) ? root : null;
}

/** Address of an allowed link: http, https and mailto. Null for all others. */
export function linkableHref(target: string): string | null {
  if (!/^(?:https?:\/\/|mailto:)/i.test(target)) return null;
  return URL.canParse(target) ? target : null;
}

/** Host of a link whose own text names another one; otherwise null. */
export function deceptiveHost(label: string, href: string): string | null {
  const named = /^\s*(?:https?:\/\/)?((?:[\w-]+\.)+[a-z]{2,})(?=[/:?#\s]|$)/i.exec(label)?.[1]?.toLowerCase();
  if (named === undefined || !URL.canParse(href)) return null;
  const { host, hostname, protocol } = new URL(href);
  return protocol === "mailto:" || hostname === named || hostname === `www.${named}` ? null : host;
}

/** The text of a node and all below it. */
export function textOf(nodes: readonly MarkdownNode[]): string {
  return nodes
    .map((node) =>
      "text" in node ? node.text : "children" in node ? textOf(node.children) : node.kind === "image" ? node.alt : "\n",
    )
    .join("");
}

const inlineTags: ReadonlySet<MarkdownTag> = new Set(["strong", "em", "s"]);

/**
 * The words of a markdown text without its marks. Each paragraph, item and row is on a line of its own; code is between empty
 * lines.
 */
export function plainWordsOf(text: string): string {
  const nodes = parseMarkdown(text);
  return nodes === null
    ? text
    : wordsOf(nodes)
        .replace(/[ \n]*\n/g, "\n")
        .replace(/\f?\n\f?/g, (end) => (end === "\n" ? end : "\n\n"))
        .trim();
}

function wordsOf(nodes: readonly MarkdownNode[]): string {
  return nodes
    .map((node) => {
      if (node.kind === "fence") return `\n\f${node.text.trimEnd()}\f\n`;
      if (node.kind === "link") return wordsOf(node.children);
      if (node.kind !== "element") return textOf([node]);
      const words = wordsOf(node.children);
      if (inlineTags.has(node.tag)) return words;
      return node.tag === "td" || node.tag === "th" ? `${words} ` : `\n${words}\n`;
    })
    .join("");
}

function parser(isPrompt: boolean, linkify: boolean): Parser {
  const made = newMarkdown(isPrompt, { linkify, breaks: true });
  // linkableHref alone decides which targets become links; a target that is not linked still shows its label.
  made.validateLink = () => true;
  // An address is shown as written: decoded, a host in another script could look like a familiar one.
  made.normalizeLinkText = (url) => url;
  made.normalizeLink = (url) => url;
  return made;
}

/** Counts matches, up to one more than `max`. */
function countUpTo(text: string, mark: RegExp, max: number): number {
  let count = 0;
  for (const _ of text.matchAll(mark)) {
    count += 1;
    if (count > max) break;
  }
  return count;
}

/** Turns the flat list of tokens into a tree, counting nodes. */
class Builder {
  readonly #open: Parent[];
  /** Marks (1 to 6) of the last heading and of those it belongs to. */
  readonly #outline: number[] = [];
  #count = 0;

  constructor(root: MarkdownNode[]) {
    this.#open = [{ node: null, children: root }];
  }

  /** False if the text exceeds a limit. */
  addAll(tokens: readonly Token[]): boolean {
    for (const token of tokens) {
      // The parser drops content that it would nest too deeply.
      if (token.level > depthMax || this.#open.length > depthMax || this.#count > markdownNodesMax) return false;
      if (token.type === "inline") {
        if (!this.addAll(token.children ?? [])) return false;
        this.#readTaskMark();
      } else if (!token.hidden) {
        this.#add(token);
      }
    }
    return true;
  }

  get #parent(): Parent {
    return this.#open.at(-1) ?? { node: null, children: [] };
  }

  #add(token: Token): void {
    if (token.nesting === -1) {
      if (this.#open.length > 1) this.#open.pop();
      return;
    }
    if (token.type === "html_block") {
      this.#addLines(token.content.trimEnd());
      return;
    }
    const node = nodeOf(token, this.#count);
    if (node === null) return;
    this.#count += 1;
    if (node.kind === "element" && token.type === "heading_open")
      node.level = this.#levelOf(Number(token.tag.slice(1)));
    this.#parent.children.push(node);
    if (token.nesting !== 1 || !("children" in node)) return;
    this.#open.push({ node: node.kind === "element" ? node : null, children: node.children });
  }

  /** A paragraph of this text as it is. */
  #addLines(text: string): void {
    const children: MarkdownNode[] = [];
    const more = { start: null, isDone: null, align: null, level: null, children };
    this.#parent.children.push({ id: this.#count++, kind: "element", tag: "p", ...more });
    for (const [index, line] of text.split("\n").entries()) {
      if (index > 0) children.push({ id: this.#count++, kind: "break" });
      if (line !== "") children.push({ id: this.#count++, kind: "text", text: line });
    }
  }

  #levelOf(marks: number): number {
    while ((this.#outline.at(-1) ?? 0) >= marks) this.#outline.pop();
    return this.#outline.push(marks);
  }

  /** `[x] ` at the beginning of a list item is a task. */
  #readTaskMark(): void {
    const inner = this.#parent;
    const item = inner.node?.tag === "p" ? this.#open.at(-2) : inner;
    const first = inner.children[0];
    if (item?.node?.tag !== "li" || item.node.isDone !== null || first?.kind !== "text") return;
    if (inner !== item && item.children.length !== 1) return;
    const mark = /^\[([ xX])\] /.exec(first.text);
    if (mark === null) return;
    item.node.isDone = mark[1] !== " ";
    first.text = first.text.slice(mark[0].length);
  }
}

function nodeOf(token: Token, id: number): MarkdownNode | null {
  const attribute = (name: string) => {
    const value = token.attrs?.find(([key]) => key === name)?.[1];
    return value === undefined ? null : String(value);
  };
  switch (token.type) {
    case "text":
    case "text_special":
      return token.content === "" ? null : { id, kind: "text", text: token.content };
    case "softbreak":
    case "hardbreak":
      return { id, kind: "break" };
    case "hr":
      return { id, kind: "rule" };
    case "code_inline":
      return { id, kind: "code", text: token.content };
    case "fence":
    case "code_block":
      return {
        id,
        kind: "fence",
        text: token.content.replace(/\n$/, ""),
        ...blockInfo(token.info),
      };
    case "image": {
      const target = attribute("src") ?? "";
      return { id, kind: "image", alt: token.content, target, href: linkableHref(target) };
    }
    case "link_open": {
      const target = attribute("href") ?? "";
      return { id, kind: "link", target, href: linkableHref(target), children: [] };
    }
    default:
      return elementOf(token, id, attribute);
  }
}

function elementOf(token: Token, id: number, attribute: (name: string) => string | null): MarkdownNode {
  const tag = tags.get(token.tag);
  if (tag === undefined || token.nesting !== 1) return { id, kind: "text", text: token.content };
  const align = /text-align:(left|center|right)/.exec(attribute("style") ?? "")?.[1] ?? null;
  return {
    id,
    kind: "element",
    tag,
    start: attribute("start") === null ? null : Number(attribute("start")),
    isDone: null,
    align: align === "left" || align === "center" || align === "right" ? align : null,
    level: null,
    children: [],
  };
}

function blockInfo(info: string): { language: string; path?: string } {
  const { language, path } = fenceInfo(info);
  return path === null || path === "" ? { language } : { language, path };
}
