import { piecesOf } from "./text-pieces.ts";
import { visibleText } from "./visible-text.ts";

const runLengthMax = 1000;

/** Literal text, in a fence longer than any run of its character in the text, so that no line ends the fence. */
export function* fenced(text: string, language: string): Generator<string> {
  const fence = fenceFor(text);
  yield `${fence}${language}\n`;
  let last = "";
  for (const piece of piecesOf(text)) {
    last = visibleText(piece);
    yield last;
  }
  yield `${last.endsWith("\n") ? "" : "\n"}${fence}\n`;
}

function fenceFor(text: string): string {
  const backticks = longestRun(text, "`");
  if (backticks < runLengthMax) return "`".repeat(Math.max(3, backticks + 1));
  const tildes = longestRun(text, "~");
  return tildes < backticks ? "~".repeat(Math.max(3, tildes + 1)) : "`".repeat(backticks + 1);
}

/** Measured on the text as shown: removing characters may join two runs. */
function longestRun(text: string, sign: "`" | "~"): number {
  let longest = 0;
  let carried = 0;
  for (const piece of piecesOf(text)) {
    const shown = visibleText(piece);
    let atEnd = 0;
    for (const { 0: run, index } of shown.matchAll(sign === "`" ? /`+/g : /~+/g)) {
      const length = run.length + (index === 0 ? carried : 0);
      longest = Math.max(longest, length);
      if (index + run.length === shown.length) atEnd = length;
    }
    carried = atEnd;
  }
  return longest;
}

/** One line as a code span that nothing in it can end (CommonMark, 6.1). */
export function codeSpan(line: string): string {
  const longest = Math.max(0, ...Array.from(line.matchAll(/`+/g), ([run]) => run.length));
  const ticks = "`".repeat(longest + 1);
  const pad = /^[` ]|[` ]$/.test(line) ? " " : "";
  return `${ticks}${pad}${line}${pad}${ticks}`;
}

/** One line as plain words: all Markdown characters are escaped. */
export function plainWords(line: string): string {
  return line
    .replace(/[\\`*_{}[\]<>#|~&!$]/g, "\\$&")
    .replace(/^(\d+)([.)])/, "$1\\$2")
    .replace(/^[-+=]/, "\\$&");
}

/**
 * Markdown by people and models as a quotation: whatever it opens (a fence, a list, a table) ends with the quotation.
 * HTML in it is shown as text, and images become links, so that reading the file loads nothing.
 */
export function quoted(text: string): string {
  // The width of a tab after the quotation mark depends on its position; spaces are always the same.
  const lines = visibleText(text)
    .split("\n")
    .map((line) => line.replace(/^[ \t]+/, (margin) => margin.replaceAll("\t", "    ")));
  return `${withoutHtml(lines)
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n")}\n`;
}

function withoutHtml(lines: string[]): string[] {
  const written: string[] = [];
  let paragraph: string[] = [];
  let fence: string | null = null;
  // Only a fence at the margin is a fence to every Markdown reader; after any other kind nothing is certain.
  let isSure = true;
  const close = () => {
    const keepsCode = isSure && paragraph.every((line) => spansOf(line) !== null);
    for (const line of paragraph) written.push(keepsCode ? outsideSpans(line) : neutral(line));
    paragraph = [];
  };
  for (const line of lines) {
    if (fence !== null) {
      written.push(line);
      const end = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
      if (end?.startsWith(fence)) fence = null;
      continue;
    }
    const opened = isSure ? /^(?:(`{3,})[^`]*|(~{3,}).*)$/.exec(line) : null;
    if (opened === null) {
      if (/^[ \t>*+\-\d.):]+(?:```|~~~)/.test(line)) isSure = false;
      paragraph.push(line);
      if (line.trim() === "") close();
      continue;
    }
    close();
    written.push(line);
    fence = opened[1] ?? opened[2] ?? null;
  }
  close();
  return written;
}

/** Code spans of a line by position; null if they depend on the block the line is in. */
function spansOf(line: string): { from: number; to: number }[] | null {
  if (!line.includes("`")) return [];
  // In a table a bar ends the cell and its span; an escaped backtick opens none.
  if (/[|]|\\`/.test(line)) return null;
  const runs = Array.from(line.matchAll(/`+/g), ({ 0: run, index }) => ({ from: index, to: index + run.length }));
  const spans: { from: number; to: number }[] = [];
  for (let place = 0; place < runs.length; ) {
    const opening = runs[place];
    if (opening === undefined) break;
    let closing = place + 1;
    while (closing < runs.length && lengthOf(runs[closing]) !== lengthOf(opening)) closing += 1;
    const closed = runs[closing];
    if (closed === undefined) return null;
    spans.push({ from: opening.from, to: closed.to });
    place = closing + 1;
  }
  return spans;
}

function lengthOf(run: { from: number; to: number } | undefined): number {
  return run === undefined ? 0 : run.to - run.from;
}

function outsideSpans(line: string): string {
  let written = "";
  let done = 0;
  for (const { from, to } of spansOf(line) ?? []) {
    written += neutral(line.slice(done, from)) + line.slice(from, to);
    done = to;
  }
  return written + neutral(line.slice(done));
}

function neutral(text: string): string {
  return text.replace(/<(?=[A-Za-z/!?])/g, "&lt;").replace(/!\[/g, "!\\[");
}
