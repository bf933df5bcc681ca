import { cutText } from "#lib/cut-text.ts";

const titleCharactersMax = 200;

/**
 * A run's one-line title: the first line of its prompt with content, without Markdown's marks. Lines of a comment do not count.
 * If the prompt has only code blocks, the first line of code.
 */
export function runTitle(prompt: string, charactersMax = titleCharactersMax): string {
  // A prompt may have a quarter of a million characters; its title is near the beginning.
  const begin = prompt.slice(0, 4000);
  const title = firstLine(begin.replace(/<!--[\s\S]*?(?:-->|$)/g, " ")) || firstLine(begin);
  return title === "" ? "Untitled run" : cutText(title, charactersMax, "…");
}

function firstLine(text: string): string {
  const first = text
    .split(/\r\n?|\n/)
    .map((line) => line.replace(/\s+/g, " ").trim())
    .find((line) => line !== "" && !line.startsWith("```") && !line.startsWith("~~~"));
  const line = (first ?? "").replace(/^(?:#{1,6} (.*?)(?: #+)?|[-*+>] (?:\[[ xX]\] )?(.*))$/, "$1$2");
  const codes: string[] = [];
  const said = line.replace(/`+([^`]+)`+/g, (_, code: string) => {
    codes.push(code);
    return codeSign;
  });
  return withoutMarks(said.replaceAll("`", "")).replaceAll(codeSign, (sign) => codes.shift() ?? sign);
}

/** Stands for code, whose characters mark nothing, while marks are taken away: a character for private use. */
const codeSign = "\uE0C0";

/**
 * Text without the marks of links, images, bold, italic and struck words. A mark in doubt stays, such as the stars of `src/**` or
 * `2 * 3` and the underscores of `__init__`.
 */
function withoutMarks(text: string): string {
  return text
    .replace(/!?\[([^[\]]*)\]\([^()\s\uE0C0]*(?: "[^"\uE0C0]*")?\)/g, "$1")
    .replace(/(?<![\w/*\\.)])(\*{1,3})(?![\s/*.])([^*]+)(?<![\s/*])\1(?![\w/*])/g, "$2")
    .replace(/(?<![\w/\\.])__(?! )([^_]* [^_]*)(?<! )__(?![\w/])/g, "$1")
    .replace(/(?<![\w/\\.])_(?! )([^_]+)(?<! )_(?![\w/.])/g, "$1")
    .replace(/~~(?! )([^~]+)(?<! )~~/g, "$1");
}
