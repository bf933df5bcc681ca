import { sequenceReader } from "./terminal-sequences.ts";

/** Range in a text, in UTF-16 units; the end is exclusive. */
export type Span = readonly [start: number, end: number];

/** Line breaks, real ones and those written as in source code and JSON. */
export const lineBreaks = /[\r\n]|\\{1,8}[rn]/;

/**
 * Ranges that `find` finds in the units of a text without line breaks and terminal sequences, also written ones (`\u001b[31m`): of
 * a word that was wrapped or colored, what is left.
 * Sequences other than colors can contain text, so a text that has some is searched both with and without them.
 */
export function findUnbroken(text: string, find: (units: Uint16Array) => Span[]): Span[] {
  const first = new HiddenParts(text, false);
  const spans = first.originsOf(find(first.visible()));
  if (!first.hasOthers) return spans;
  const all = new HiddenParts(text, true);
  return [...spans, ...all.originsOf(find(all.visible()))];
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const escapeUnit = 0x1b;
const backslash = 0x5c;
const writtenBreak = new RegExp(lineBreaks, "y");
const writtenStart = /\\(?:u001[bB]|x1[bB]|033|e)\[/y;
const parametersMax = 256;

/** The parts of a text between the visible characters of a word. `all`: also sequences that are no colors. */
class HiddenParts {
  readonly #text: string;
  readonly #sequenceAt: ReturnType<typeof sequenceReader> | null;
  /** Whether sequences other than colors were met. */
  hasOthers = false;

  constructor(text: string, all: boolean) {
    this.#text = text;
    this.#sequenceAt = all ? sequenceReader(text) : null;
  }

  /** The units of the text that are visible. */
  visible(): Uint16Array {
    const text = this.#text;
    const bytes = Buffer.allocUnsafeSlow(2 * text.length);
    bytes.write(text, "utf16le");
    const units = new Uint16Array(bytes.buffer, 0, text.length);
    let length = 0;
    for (let at = 0; at < units.length; ) {
      const unit = units[at] ?? 0;
      const end = isPlain(unit) ? at : this.#endOf(at, unit);
      if (end > at) at = end;
      else {
        units[length] = unit;
        length += 1;
        at += 1;
      }
    }
    return units.subarray(0, length);
  }

  /** Ranges of the visible text as ranges of the text. */
  originsOf(spans: readonly Span[]): Span[] {
    const places = Float64Array.from(spans.flatMap(([from, to]) => [from, to - 1])).sort();
    const origins = new Map<number, number>();
    const text = this.#text;
    let next = 0;
    let place = 0;
    for (let at = 0; at < text.length && next < places.length; ) {
      const unit = text.charCodeAt(at);
      const end = isPlain(unit) ? at : this.#endOf(at, unit);
      if (end > at) {
        at = end;
        continue;
      }
      if (places[next] === place) {
        origins.set(place, at);
        while (places[next] === place) next += 1;
      }
      place += 1;
      at += 1;
    }
    return spans.map(([from, to]) => [origins.get(from) ?? 0, (origins.get(to - 1) ?? 0) + 1]);
  }

  /** End of the hidden part that begins at a position; the position itself if none does. */
  #endOf(at: number, unit: number): number {
    const text = this.#text;
    if (unit === lineFeed || unit === carriageReturn) return at + 1;
    if (unit === backslash) {
      writtenBreak.lastIndex = at;
      if (writtenBreak.test(text)) return writtenBreak.lastIndex;
      writtenStart.lastIndex = at;
      return writtenStart.test(text) ? endOfColor(text, writtenStart.lastIndex) : at;
    }
    if (unit === escapeUnit && text[at + 1] === "[") return endOfColor(text, at + 2);
    if (unit !== escapeUnit && unit < 0x90) return at;
    this.hasOthers = true;
    return this.#sequenceAt?.(at).to ?? at;
  }
}

/** Most characters begin nothing that is hidden. */
function isPlain(unit: number): boolean {
  return unit > 0x1f && unit !== backslash && (unit < 0x90 || unit > 0x9f);
}

/** End of a control sequence whose parameters begin at a position; only its introducer if it is none. */
function endOfColor(text: string, from: number): number {
  let end = from;
  while (end - from < parametersMax && inRange(text.charCodeAt(end), 0x20, 0x3f)) end += 1;
  return inRange(text.charCodeAt(end), 0x40, 0x7e) ? end + 1 : from;
}

function inRange(unit: number, first: number, last: number): boolean {
  return unit >= first && unit <= last;
}
