import { blanked, type MarkdownMarks, readMarkdown } from "./markdown-marks.ts";
import { joiner, livePlaces, type WordRules } from "./quiet-words.ts";

/** Elements of HTML that hosts show, and that end where they say. */
const known = new Set(
  `a b blockquote br code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p picture pre q s samp small
source span strike strong sub summary sup table tbody td tfoot th thead tr tt u ul var`.split(/\s+/),
);
const empty = new Set(["br", "hr", "img", "source"]);

/**
 * What begins a link's target. If a target is a name or a number, GitLab takes the link for a mention or a reference
 * (https://docs.gitlab.com/user/markdown/#gitlab-specific-references).
 */
const targetBegin = /(?:\(\s*<?|\bhref\s*=\s*["']?)\\?(?:[@#!&]|&#?\w+;|%40)$|\/profiles$/i;

/** What each character of a text belongs to; 0: words. */
const kinds = { words: 0, html: 1, comment: 2, fence: 3, span: 4, tag: 5, address: 6 } as const;

/**
 * Markdown of somebody else, which a host shows and does nothing with: no line is a command, nobody is mentioned, and nothing that
 * it begins swallows what follows it. Code and addresses stay as they are, and so does all that would do nothing anyway. HTML is
 * kept if it ends, else it is words. `closesInCode`: the host looks for closing words in code, too.
 */
export function quietMarkdown(text: string, rules: WordRules & { closesInCode: boolean }): string {
  const source = text.replaceAll("\0", "").replace(/\r(?!\n)/g, "\n");
  const read = readMarkdown(source);
  const isWhole = hasWholeHtml(source, read);
  const { marks, prose, openFence } = isWhole ? read : readMarkdown(source, { html: false });
  const kindAt = new Uint8Array(source.length);
  for (const { from, to, isHtml } of prose) if (isHtml) kindAt.fill(kinds.html, from, to);
  for (const { from, to, kind } of marks) kindAt.fill(kinds[kind], from, to);
  const edits: Edit[] = [];
  for (const { at, isClosing } of livePlaces(source, rules)) {
    const kind = kindAt[at - 1] ?? kinds.words;
    const isCode = kind === kinds.fence || kind === kinds.span;
    const isTarget = kind >= kinds.tag && targetBegin.test(source.slice(Math.max(0, at - 40), at));
    if (kind <= kinds.comment || isTarget || (isCode && isClosing && rules.closesInCode))
      edits.push({ at, removed: 0, added: joiner });
  }
  for (const { index } of source.matchAll(isWhole ? /<(?=[!?])/g : /<(?=[A-Za-z/!?])/g)) {
    if (kindAt[index] === kinds.words) edits.push({ at: index, removed: 1, added: "&lt;" });
  }
  // Linear folds what follows such a line: https://linear.app/developers/graphql#adding-collapsible-sections-in-markdown.
  for (const { index } of source.matchAll(/^\+{3}/gm)) {
    if (kindAt[index] === kinds.words) edits.push({ at: index, removed: 0, added: "\\" });
  }
  // https://docs.gitlab.com/user/project/quick_actions/: a line that begins with a slash and a word. So do bots of other hosts.
  for (const { 0: line, index } of source.matchAll(/^[^\S\n]*\/(?=[\p{L}\p{N}_])/gmu)) {
    const at = index + line.length - 1;
    const kind = kindAt[at] ?? kinds.words;
    if (kind === kinds.words) edits.push({ at, removed: 0, added: "\\" });
    else if (kind === kinds.html || kind === kinds.comment) edits.push({ at, removed: 1, added: "&#47;" });
    // A line end in these is a space.
    else if (kind !== kinds.fence) edits.push({ at, removed: 0, added: " " });
  }
  const quiet = edited(source, edits);
  return openFence === null ? quiet : `${quiet.trimEnd()}\n${openFence}`;
}

type Edit = { at: number; removed: number; added: string };

function edited(text: string, edits: Edit[]): string {
  let written = "";
  let from = 0;
  for (const { at, removed, added } of edits.sort((one, other) => one.at - other.at)) {
    written += text.slice(from, at) + added;
    from = at + removed;
  }
  return written + text.slice(from);
}

/** Whether all HTML of the text ends in it, so that it swallows nothing, and consists of known elements. */
function hasWholeHtml(text: string, { marks, prose }: MarkdownMarks): boolean {
  const open: string[] = [];
  const tags = marks.filter(({ kind }) => kind === "tag" || kind === "comment");
  const rest = blanked(text, tags);
  for (const { from, to, kind } of tags) {
    const words = text.slice(from, to);
    if (kind === "comment" && (/^<!---?>/.test(words) || words.includes("--!>"))) return false;
    if (kind === "comment") continue;
    const [, slash, name = ""] = /^<(\/?)([a-z][a-z0-9-]*)/i.exec(words.toLowerCase()) ?? [];
    if (!known.has(name)) return false;
    if (slash !== "/" && !empty.has(name)) open.push(name);
    if (slash === "/" && open.pop() !== name) return false;
  }
  return (
    open.length === 0 && !prose.some(({ from, to, isHtml }) => isHtml && /<[A-Za-z/!?]/.test(rest.slice(from, to)))
  );
}
