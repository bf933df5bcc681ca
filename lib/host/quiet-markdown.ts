import MarkdownIt from "markdown-it";
import { joiner, livePlaces, type WordRules } from "./quiet-words.ts";

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
const targetBegin = /(?:\(\s*<?|\]:\s*<?|\bhref\s*=\s*["']?\s*)\\?(?:[@#!&]|&#?\w+;|%40|%23)$|\/profiles$/i;

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
  const source = text.replace(/[\0\uFDD0\uFDD1]/g, "").replace(/\r(?!\n)/g, "\n");
  const withHtml = read(source, placesIn(source, rules), markdown);
  if (isWhole(withHtml.html)) return withHtml.quiet;
  // Addresses in angle brackets are no HTML.
  const begins = source.matchAll(/<(?![a-z][a-z0-9+.-]{1,31}:[^\s<>]*>)(?=[a-z/!?])/gi);
  const tags = [...begins].map(({ index }) => ({ from: index, to: index + 1, quiet: { words: "&lt;" } }));
  return read(source, [...placesIn(source, rules), ...tags], withoutHtml).quiet;
}

function placesIn(source: string, rules: Rules): Place[] {
  const words = [...livePlaces(source, rules)].map(({ at, isClosing }): Place => {
    const isTarget = targetBegin.test(source.slice(Math.max(0, at - 40), at));
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
  // Looking for the end of each of more brackets would take too long.
  parser.inline.ruler[(source.match(/\[/g)?.length ?? 0) > 1000 ? "disable" : "enable"](["link", "image"]);
  const html: string[] = [];
  let openFence = "";
  for (const { type, content, info, markup, children } of parser.parse(`${marked}\n\n${end}`, {})) {
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
