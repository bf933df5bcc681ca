import MarkdownIt, { type Token } from "markdown-it";
import { lowerBound } from "#lib/lower-bound.ts";
import { joiner, livePlaces, unseen, type WordRules } from "./quiet-words.ts";

/** Elements of HTML that hosts show, and that end where they say. */
const known = new Set(
  `a b blockquote br code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p picture pre q s samp small
source span strike strong sub summary sup table tbody td tfoot th thead tr tt u ul var`.split(/\s+/),
);
const empty = new Set(["br", "hr", "img", "source"]);
const tag = /<\/?[a-z][a-z0-9-]*(?:\s+[\w:.-]+(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?>/gi;
const comment = /<!--(?!-?>)(?:(?!--!?>)[\s\S])*-->/g;

/**
 * What begins a link's target. If a target is a name or a number, GitLab takes the link for a mention or a reference
 * (https://docs.gitlab.com/user/markdown/#gitlab-specific-references).
 */
const targetBegin =
  /(?:\(\s*<?|\]:\s*<?|\bhref\s*=\s*["']?\s*)\\?(?:[@#!&]|&#?\w+;|%40|%23|(?:\[|%5b|&#\w+;)[\w%&#;]*)$|\/profiles$/i;

/** Part of a Markdown text. `code`: a block; `span`: code in a line; `html`: words in a block of HTML; `target`: also a tag. */
type Where = "words" | "html" | "code" | "span" | "target";

/** A piece of a text, and what is written for it if it is in one of these parts. */
type Place = { from: number; to: number; quiet: Partial<Record<Where, string>> };

type Rules = WordRules & { closesInCode: boolean };

/**
 * Markdown of somebody else, which a host shows and does nothing with: no line is a command, nobody is mentioned, and nothing that
 * it begins swallows what follows it. Code and addresses stay as they are, and so does all that would do nothing anyway. HTML is
 * kept if it ends, else it is words. `closesInCode`: the host looks for closing words in code, too.
 */
export function quietMarkdown(text: string, rules: Rules): string {
  const source = text.replace(/[\0\uFDD0-\uFDD2]/g, "").replace(/\r(?!\n)/g, "\n");
  const withHtml = read(source, placesIn(source, rules, markdown), markdown);
  if (isWhole(withHtml.html)) return withHtml.quiet;
  // Addresses in angle brackets are no HTML.
  const begins = source.matchAll(/<(?![a-z][a-z0-9+.-]{1,31}:[^\s<>]*>)(?=[a-z/!?])/gi);
  const tags = [...begins].map(({ index }) => ({ from: index, to: index + 1, quiet: { words: "&lt;" } }));
  return read(source, [...placesIn(source, rules, withoutHtml), ...tags], withoutHtml).quiet;
}

function placesIn(source: string, rules: Rules, parser: typeof markdown): Place[] {
  const live = new Map(shownPlaces(source, rules, parser).map((at) => [at, false]));
  for (const { at, isClosing } of livePlaces(source, rules)) live.set(at, isClosing);
  const words = Array.from(live, ([at, isClosing]): Place => {
    const isTarget = targetBegin.test(source.slice(Math.max(0, at - 200), at));
    const quiet: Place["quiet"] = { words: joiner, html: joiner };
    if (isTarget) quiet.target = joiner;
    if (isClosing && rules.closesInCode) quiet.code = quiet.span = quiet.target = joiner;
    return { from: at, to: at, quiet };
  });
  // https://docs.gitlab.com/user/project/quick_actions/: a line that begins with a slash and a word. So do bots of other hosts.
  // A line end in a span or a tag is a space.
  const commands = [...source.matchAll(/(?<=^[^\S\n]*)\/(?=[\p{L}\p{N}_])/gmu)].map(({ index }) => ({
    ...{ from: index, to: index + 1, quiet: { words: "\\/", html: "&#47;", span: " /", target: " /" } },
  }));
  // Linear folds what follows such a line: https://linear.app/developers/graphql#adding-collapsible-sections-in-markdown.
  const folds = [...source.matchAll(/^\+{3}/gm)].map(({ index }) => ({
    ...{ from: index, to: index + 3, quiet: { words: "\\+++" } },
  }));
  return [...words, ...commands, ...folds];
}

const markdown = new MarkdownIt({ html: true });
const withoutHtml = new MarkdownIt({ html: false });
for (const parser of [markdown, withoutHtml]) {
  parser.validateLink = () => true;
  parser.normalizeLink = (target) => target;
}

/**
 * Positions as {@link livePlaces} gives them, in what readers see: words may be written with entities, and what is not shown may
 * be in them and behind them. Marks after letters and entities, where they change no rule, say where these are.
 */
function shownPlaces(source: string, rules: Rules, parser: typeof markdown): number[] {
  const marked = source.replace(marking, (piece, word: string | undefined, at: number) =>
    word === undefined ? piece : `${piece}\uFDD0${at + piece.length}\uFDD1`,
  );
  return parse(marked, parser).flatMap(({ type, content, children }) => {
    const isShown = type === "inline" || type === "html_block";
    const pieces = (isShown ? shownOf(type, content, children ?? []) : "").split(/\uFDD0(\d+)\uFDD1/);
    const ends: number[] = [];
    for (let index = 0; index < pieces.length; index += 2) ends.push((ends.at(-1) ?? 0) + (pieces[index] ?? "").length);
    const shown = pieces.filter((_, index) => index % 2 === 0).join("");
    return [...livePlaces(shown, rules)].flatMap(({ from, at }) => {
      const last = lowerBound(ends, at + 1) - 1;
      return (ends[last] ?? 0) > from && 2 * last + 1 < pieces.length ? [Number(pieces[2 * last + 1])] : [];
    });
  });
}

const marking = new RegExp(
  `${tag.source}|<[^<>\\s]*>|<[!/]?[a-z][\\w-]*|&#?\\w{1,32};(?=[*_~])|(&#?\\w{1,32};|[@#!](?=[\\w<])|\\bG[HL]-(?=\\d)|[a-z]+)`,
  "gi",
);

/** The text of a token as it is shown, with the targets of links before their words, as closing words may stand before those. */
function shownOf(type: string, content: string, children: readonly Token[]): string {
  const ofTag = (one: string) => {
    if (/^<[bh]r\b/i.test(one)) return "\n";
    const target = /^<a\s.*?\bhref\s*=\s*["']?(https?:[^\s"'>]+)/is.exec(one)?.[1];
    return target === undefined ? unseen : `${target} `;
  };
  if (type === "html_block") {
    const words = content.replace(comment, unseen).replace(tag, ofTag);
    return words.replace(/&#?\w{1,32};/g, (entity) => markdown.utils.unescapeAll(entity));
  }
  let shown = "";
  for (const child of children) {
    const target = child.type === "link_open" ? unmarked(String(child.attrGet("href"))) : "";
    if (child.type === "text") shown += child.content;
    else if (child.type === "code_inline") shown += `${unseen}${child.content}${unseen}`;
    else if (child.type.endsWith("break")) shown += "\n";
    else if (child.type === "html_inline") shown += ofTag(child.content);
    else shown += /^https?:/i.test(target) && !shown.endsWith("\uFDD1") ? `${target} ` : unseen;
  }
  return shown;
}

const unmarked = (text: string) => text.replace(/\uFDD0\d+\uFDD1/g, "");

/** Tokens of a text with marks, which make no difference between the label of a link and its definition. */
function parse(marked: string, parser: typeof markdown): Token[] {
  const references = new Proxy(Object.create(null), {
    get: (all, label) => Reflect.get(all, unmarked(String(label))),
    set: (all, label, target) => Reflect.set(all, unmarked(String(label)), target),
  });
  // Looking for the end of each of more brackets would take too long.
  parser.inline.ruler[(marked.match(/\[/g)?.length ?? 0) > 1000 ? "disable" : "enable"](["link", "image"]);
  return parser.parse(marked, { references });
}

/**
 * The quiet text, and its HTML. Tokens have no positions: so each place is marked, by characters that are no text and change no
 * rule of Markdown, and the tokens in which the marks are found say where the places are.
 */
function read(source: string, places: Place[], parser: typeof markdown): { quiet: string; html: string[] } {
  const sorted = places.sort((one, other) => one.to - other.to);
  const written = (show: (place: Place, index: number) => string) => {
    const pieces = sorted.map(
      (place, index) => source.slice(sorted[index - 1]?.to ?? 0, place.from) + show(place, index),
    );
    return pieces.join("") + source.slice(sorted.at(-1)?.to ?? 0);
  };
  const where: Where[] = [];
  const note = (text: string, part: Where) => {
    for (const [, index] of text.matchAll(/\uFDD0(\d+)\uFDD1/g)) where[Number(index)] = part;
  };
  const end = "\uFDD0end\uFDD1";
  const marked = written(({ from, to }, index) => `${source.slice(from, to)}\uFDD0${index}\uFDD1`);
  const html: string[] = [];
  let openFence = "";
  for (const { type, content, info, markup, children } of parse(`${marked}\n\n${end}`, parser)) {
    if (type === "html_block") {
      note(content, "html");
      for (const [one] of content.matchAll(tag)) note(one, "target");
      html.push(content);
    } else if (type === "fence" || type === "code_block") {
      note(`${info}\n${content}`, "code");
      if (content.includes(end)) openFence = `\n${markup}`;
    }
    for (const child of children ?? []) {
      if (child.type === "code_inline") note(child.content, "span");
      else if (child.type === "html_inline") note(child.content, child.content.startsWith("<!--") ? "html" : "target");
      else if (child.type === "link_open" || child.type === "image") note(String(child.attrs?.[0]?.[1]), "target");
      if (child.type === "html_inline" || (child.type === "text" && /<[!?]/.test(child.content)))
        html.push(child.content);
    }
  }
  const quiet = written(({ from, to, quiet }, index) => quiet[where[index] ?? "words"] ?? source.slice(from, to));
  return { quiet: openFence === "" ? quiet : quiet.trimEnd() + openFence, html };
}

/** Whether all of this HTML ends in it, so that it swallows nothing, and consists of known elements. */
function isWhole(html: readonly string[]): boolean {
  const open: string[] = [];
  for (const piece of html) {
    if (piece.lastIndexOf("<!--") > piece.lastIndexOf("-->")) return false;
    const elements = piece.replace(comment, " ");
    if (/<[a-z/!?]/i.test(elements.replace(tag, " "))) return false;
    for (const [words] of elements.toLowerCase().matchAll(tag)) {
      const [, slash, name = ""] = /^<(\/?)([a-z0-9-]+)/.exec(words) ?? [];
      if (!known.has(name)) return false;
      if (slash === "/" && open.pop() !== name) return false;
      if (slash === "" && !empty.has(name)) open.push(name);
    }
  }
  return open.length === 0;
}
