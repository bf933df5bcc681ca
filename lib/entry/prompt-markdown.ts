import type { MarkdownIt as Parser } from "markdown-it";
import MarkdownIt from "markdown-it";

/** Content nested more deeply is dropped by the parser. */
const nestingMax = 50;

/**
 * Markdown as Errand reads it. `isPrompt`: blocks of HTML are not read as Markdown, as on code hosts, so that nothing is run that
 * is invisible there; otherwise HTML is text like any other. What the built-in agent runs and what the page shows both come from here.
 */
export function newMarkdown(isPrompt: boolean, more: { linkify?: boolean; breaks?: boolean } = {}): Parser {
  return new MarkdownIt({ ...more, html: isPrompt, maxNesting: nestingMax });
}
