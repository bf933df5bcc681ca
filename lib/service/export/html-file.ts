import type { Run } from "#lib/contract/runs/run.ts";
import type { Block } from "./block.ts";
import type { EntryWords } from "./entry-words.ts";
import type { ExportedEntries } from "./exported-entries.ts";
import { htmlStyle } from "./html-style.ts";
import { proseParts } from "./prose-parts.ts";
import { runFacts, runTitle } from "./run-facts.ts";
import { runParts } from "./run-parts.ts";
import { piecesOf } from "./text-pieces.ts";
import { visibleLine, visibleText } from "./visible-text.ts";

const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";
/** Longer texts are folded. */
const openLinesMax = 40;
const openCharactersMax = 6_000;
/** Longer prose was not written by a person and is shown as literal text. */
const proseCharactersMax = 200_000;

/** The run as one self-contained page: no script, no request, light and dark. Every text of the run is escaped. */
export async function* htmlFile(run: Run, entries: ExportedEntries): AsyncGenerator<string> {
  const title = `Run ${run.id}: ${runTitle(run)}`;
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
<style>${htmlStyle}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
<dl>
`;
  for (const { name, value } of runFacts(run)) yield `<div><dt>${name}</dt><dd>${escaped(value)}</dd></div>\n`;
  yield `<div><dt>Address</dt><dd>${escaped(visibleLine(run.web_url, 2000))}</dd></div>\n</dl>\n`;
  for await (const part of runParts(run, entries)) {
    if (part.kind === "entry") yield* article(part.entry);
    else {
      yield `<h2>${part.title}</h2>\n`;
      yield* block(part.block);
    }
  }
  yield "</main>\n</body>\n</html>\n";
}

function* article(entry: EntryWords): Generator<string> {
  if (entry.turn !== null) yield `<h2>Turn ${entry.turn}</h2>\n`;
  const about = entry.about === "" ? "" : ` <code>${escaped(visibleLine(entry.about))}</code>`;
  const facts = entry.facts.map((fact) => `<span>${escaped(visibleLine(fact))}</span>`).join(" ");
  const time = escaped(visibleLine(entry.createdAt));
  yield `<article id="entry-${entry.seq}"${entry.isError ? ' class="failed"' : ""}>
<header><a href="#entry-${entry.seq}">${entry.seq}</a> <h3>${escaped(visibleLine(entry.title))}</h3>${about} ${facts} <time>${time}</time></header>
`;
  for (const part of entry.blocks) yield* block(part);
  yield "</article>\n";
}

function* block({ kind, label, language, text, image }: Block): Generator<string> {
  // Only base64 data URLs (image-sources.ts): they load nothing, and contain nothing that could end the attribute.
  if (image !== undefined) yield `<img src="${image.url}" alt="${escaped(text)}">\n`;
  else if (kind === "prose" && text.length <= proseCharactersMax) yield* prose(visibleText(text));
  else yield* literal(label, language, text);
}

function* prose(text: string): Generator<string> {
  for (const part of proseParts(text)) {
    // HTML drops a line feed right after <pre>.
    if (part.kind === "code") yield `<pre>\n${escaped(part.text)}</pre>\n`;
    else yield `<div class="prose" dir="auto">${escaped(part.text)}</div>\n`;
  }
}

function* literal(label: string | null, language: string, text: string): Generator<string> {
  const lines = countLines(text);
  const isFolded = lines > openLinesMax || text.length > openCharactersMax;
  const name = escaped(visibleLine(label ?? (isFolded ? "Text" : "")));
  if (isFolded) {
    const size = `${lines.toLocaleString("en-US")} lines, ${text.length.toLocaleString("en-US")} characters`;
    yield `<details><summary>${name} <small>${size}</small></summary>\n`;
  } else if (label !== null) yield `<p class="label">${name}</p>\n`;
  yield "<pre>\n";
  for (const piece of piecesOf(text)) yield language === "diff" ? markedLines(piece) : escaped(visibleText(piece));
  yield "</pre>\n";
  if (isFolded) yield "</details>\n";
}

function markedLines(diff: string): string {
  return escaped(visibleText(diff))
    .replace(/^\+.*$/gm, "<ins>$&</ins>")
    .replace(/^-.*$/gm, "<del>$&</del>");
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < text.length - 1; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? "");
}
