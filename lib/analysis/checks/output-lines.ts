import { hasAnsi, parseAnsiLines } from "#lib/entry/terminal-text.ts";

/** A line of output: `text` as a terminal shows it, trimmed; `raw` as it is in the entry. */
export type OutputLine = { text: string; raw: string };

/** Only the beginning and the end of a longer output are read, in UTF-16 units. */
const headMax = 16_384;
const tailMax = 49_152;
const lineMax = 1_000;

/** Non-empty lines of an output. */
export function linesOf(output: string): OutputLine[] {
  return rawLinesOf(output).flatMap((raw) => lineOf(raw) ?? []);
}

/**
 * Relevant ranges of a checker's output: both ends, where the summary is, and between them the lines that look like failures. Each
 * range is two positions, its start and its end.
 */
export function tellingPlaces(output: string): number[] {
  const places = linePlaces(output);
  const count = places.length / 2;
  if (count <= firstMax + lastMax) return places;
  const chosen = places.slice(0, 2 * firstMax);
  let red = 0;
  for (let line = firstMax; line < count - lastMax && red < redMax; line += 1) {
    const from = places[2 * line] ?? 0;
    const to = places[2 * line + 1] ?? 0;
    if (!looksRed.test(output.slice(from, to))) continue;
    red += 1;
    chosen.push(from, to);
  }
  return chosen.concat(places.slice(-2 * lastMax));
}

/** The lines of an output that are not empty. */
function linePlaces(output: string): number[] {
  if (output.length <= headMax + tailMax) return linePlacesIn(output, 0, output.length);
  const tail = output.length - tailMax;
  return [...linePlacesIn(output, 0, headMax), ...linePlacesIn(output, tail, output.length)];
}

function linePlacesIn(output: string, start: number, end: number): number[] {
  const places: number[] = [];
  let from = start;
  while (from < end) {
    const found = output.indexOf("\n", from);
    const to = found === -1 || found > end ? end : found;
    if (to > from) places.push(from, to);
    from = to + 1;
  }
  return places;
}

const firstMax = 10;
const lastMax = 26;
const redMax = 20;
const looksRed = /^\W*(?:[✗✘❌×✖]|--- FAIL|FAIL|not ok |\(fail\)|error\b|ERROR\b)/;

function rawLinesOf(output: string): string[] {
  const parts =
    output.length <= headMax + tailMax ? [output] : [output.slice(0, headMax), output.slice(output.length - tailMax)];
  return parts.flatMap((part) => part.split("\n")).filter((line) => line !== "");
}

/** A line as a terminal shows it; null if it shows nothing. Of a longer line only the beginning is read. */
export function lineOf(line: string): OutputLine | null {
  const raw = line.length > lineMax ? cut(line, lineMax) : line;
  const text = (hasAnsi(raw) ? plainText(raw) : raw).trim();
  return text === "" ? null : { text, raw };
}

/** Colors: nearly all control sequences that checkers print. */
const colors = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");

function plainText(raw: string): string {
  const uncolored = raw.replace(colors, "");
  if (!hasAnsi(uncolored)) return uncolored;
  return (parseAnsiLines(raw)[0] ?? []).map(({ text }) => text).join("");
}

/**
 * The longest part of a line with a single terminal style, so that it occurs in the entry literally; at most `max` UTF-16
 * units. `isEscaped`: the line is in JSON inside the entry's text, where quotes and tabs are escaped.
 */
export function quoteOf(raw: string, max: number, isEscaped = false): string {
  if (!isEscaped && !hasAnsi(raw)) return ownText(cut(raw.trim(), max));
  const shown = hasAnsi(raw) ? (parseAnsiLines(raw)[0] ?? []).map(({ text }) => text) : [raw];
  const parts = isEscaped ? shown.flatMap((text) => text.split(/["\\\p{Cc}]/u)) : shown;
  const longest = parts.reduce((best, part) => (part.trim().length > best.length ? part.trim() : best), "");
  return ownText(cut(longest, max));
}

/** A copy of the text: a substring keeps its whole source in memory, which may be ten megabytes. */
export function ownText(text: string): string {
  if (2 * text.length > copied.length) return Buffer.from(text, "utf16le").toString("utf16le");
  return copied.toString("utf16le", 0, copied.write(text, "utf16le"));
}

/** Reused for short copies; a new buffer each time would cost more to collect than to copy. */
const copied = Buffer.allocUnsafe(1_024);

/** At most `max` UTF-16 units of a text, never half a character. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max);
}
