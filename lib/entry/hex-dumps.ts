import { lowerBound } from "#lib/lower-bound.ts";
import { type Find, lineBreaks, type Span } from "./unbroken-text.ts";

const byte = "[0-9a-f]{2}";
/** Numbers of digits in a group, as tools write them; all on a line without spaces count as one group. */
const sizes = [32, 16, 8, 4];
const groups = sizes.flatMap((size) => {
  const some = `[0-9a-f]{${size}}(?: [0-9a-f]{${size}})*`;
  const rest = `(?:${byte}){1,${size / 2 - 1}}`;
  // After its offset, xxd aligns a last group at the right if its bytes are reversed.
  return [`(?<=: )${some} {3,${size - 1}}${rest}`, `${some}(?: ${rest})?`];
});
const prefix = "(?:0x|\\\\{1,8}x)";
const between = "(?:[ :]|,? ?0x|\\\\{1,8}x)";
/**
 * A line's digits: `hexdump -C` has two spaces after eight bytes, `hexdump -x` four between groups, C has `0x54, 0x72`, others have
 * `54:72` and `\x54\x72`.
 */
const columns = [
  `[0-9a-f]{4}(?: {4}[0-9a-f]{4})+`,
  `${byte}(?: ${byte}){7}  ${byte}(?: ${byte}){0,7}`,
  ...groups,
  `${prefix}?${byte}(?:${between}${byte})*`,
  `(?:${byte}){3,15}`,
];
/** An offset ends with a colon too, but never before the end of its line. */
const columnEnd = "(?!\\w|:(?![ \\t]*(?:[\\r\\n\\\\]|$)))";
const column = new RegExp(
  `(?:(?<!\\w)|(?<=\\\\[rn]))(?=[0-9a-f\\\\])(?:${columns.map((one) => `${one}${columnEnd}`).join("|")})`,
  "gi",
);
/** Fewer digits are no secret. */
const digitsMin = 12;

type Column = { at: number; text: string; size: number };
type Line = { columns: Column[]; end: number };

/** Three bytes that follow one another in a secret, in each order in which a tool may write them. */
export class ByteRuns {
  readonly #runs = new Set<number>();
  /** By the last two of a run, for a quick look. */
  readonly #pairs = new Uint8Array(2 ** 16);

  /** Takes those of the texts that are hexadecimal digits. */
  constructor(texts: Iterable<string>) {
    for (const text of texts) {
      if (!/^[0-9a-f]{6,}$/i.test(text)) continue;
      for (let at = 0; at + 6 <= text.length; at += 1) {
        const [first = 0, second = 0, third = 0, fourth = 0] = [0, 2, 4, 6].map((more) =>
          Number.parseInt(text.slice(at + more, at + more + 2), 16),
        );
        this.#add(first, second, third);
        this.#add(third, second, first);
        // In groups of two bytes, each reversed.
        if (at + 8 > text.length) continue;
        this.#add(second, first, fourth);
        this.#add(first, fourth, third);
      }
    }
  }

  #add(first: number, second: number, third: number): void {
    this.#runs.add((first * 256 + second) * 256 + third);
    this.#pairs[second * 256 + third] = 1;
  }

  /** Where the first run ends after a position; -1 if there is none. It may be one by chance: far apart, or of other alphabets. */
  next(text: string, from: number): number {
    let bytes = 0;
    // Where there was one, the next is often near.
    let wanted = piece.length / 64;
    for (let start = from; start + 1 < text.length; ) {
      const length = piece.write(text.slice(start, start + wanted), "latin1");
      wanted = piece.length;
      let at = 0;
      while (at + 1 < length) {
        const low = digitValues[piece[at + 1] as number] as number;
        if (low === -1) {
          at += 2;
          continue;
        }
        const high = digitValues[piece[at] as number] as number;
        if (high === -1) {
          at += 1;
          continue;
        }
        bytes = (bytes << 8) | (high << 4) | low;
        at += 2;
        if (this.#pairs[bytes & 0xffff] === 1 && this.#runs.has(bytes & 0xffffff)) return start + at - 1;
      }
      start += at;
    }
    return -1;
  }
}

/** The text in pieces of bytes: reading the characters of a long text one by one takes twice as long. */
const piece = Buffer.alloc(64 * 1024);
/** Values of hexadecimal digits by character code; -1 for others. */
const digitValues = new Int8Array(256).fill(-1);
for (const [value, digit] of [..."0123456789abcdef"].entries()) {
  digitValues[digit.charCodeAt(0)] = value;
  digitValues[digit.toUpperCase().charCodeAt(0)] = value;
}

/**
 * Ranges that `find` finds in the digits of hex dumps (xxd, hexdump, od), without the offsets and characters beside them: of each
 * line its digits and, after them, its characters. Groups of two bytes and more are read in both byte orders. Only lines in which
 * three bytes of a secret follow one another are read, and those beside them.
 */
export function findDumped(text: string, runs: ByteRuns, find: Find): Span[] {
  const { lines, rest } = linesOf(text, runs);
  const found = new Set(lines.flatMap((line) => line.columns.map(({ size }) => size)));
  const spans = [...sizes, 2].flatMap((size) => {
    if (!found.has(size)) return [];
    const picked = lines.flatMap((line) => {
      const column = columnOf(line, size);
      return column === undefined ? [] : [{ ...column, end: line.end }];
    });
    return (size === 2 ? [false] : [false, true]).flatMap((isSwapped) => findIn(text, picked, isSwapped, find));
  });
  return [...spans, ...rest];
}

/** More places that may be part of a dump are not read, but masked: no file has so many by chance, and reading them takes long. */
const placesMax = 3000;

/** The columns of lines that may show a secret, and of those around them; `rest`: ranges of which there were too many to read. */
function linesOf(text: string, runs: ByteRuns): { lines: Line[]; rest: Span[] } {
  const lines: Line[] = [];
  const rest: Span[] = [];
  const breaks = new RegExp(lineBreaks);
  let line: Line = { columns: [], end: 0 };
  let end = 0;
  let places = 0;
  for (let hit = runs.next(text, 0); hit !== -1; ) {
    const [start, next] = around(text, hit, end);
    end = next;
    places += 1;
    if (places > placesMax) rest.push([start, end]);
    else {
      for (const { index, 0: digits } of text.slice(start, end).matchAll(column)) {
        const at = start + index;
        if (at >= line.end) {
          breaks.lastIndex = at + digits.length;
          line = { columns: [], end: breaks.exec(text)?.index ?? text.length };
          lines.push(line);
        }
        const first = /[0-9a-f]{2,}/i.exec(digits)?.[0] ?? "";
        line.columns.push({ at, text: digits, size: first.length });
      }
    }
    hit = runs.next(text, places > placesMax ? end : Math.min(end, endOfLine(text, hit, end)));
  }
  return { lines, rest };
}

/** Far enough for a line of a dump and those beside it, where the text has no line breaks. */
const windowMax = 4096;
const inColumn = /[0-9a-fx\\ :,]/i;

/** Before and after a line, others may stand between those of a dump: blank ones, for example. */
const linesBeside = 2;

/** A range of whole columns: the line at `hit`, and {@link linesBeside} before and after it. Nothing before `least`. */
function around(text: string, hit: number, least: number): [start: number, end: number] {
  const before = text.slice(Math.max(least, hit - windowMax), hit);
  let from = before.length;
  for (let line = 0; line <= linesBeside && from !== -1; line += 1) {
    from = from === 0 ? -1 : before.lastIndexOf("\n", from - 1);
  }
  let start = hit - before.length + from + 1;
  if (from === -1) while (start > least && inColumn.test(text.charAt(start - 1))) start -= 1;
  let end = endOfLine(text, hit, hit + windowMax);
  for (let line = 0; line < linesBeside; line += 1) end = endOfLine(text, end + 1, hit + windowMax);
  while (end < text.length && inColumn.test(text.charAt(end))) end += 1;
  return [Math.max(least, start), end];
}

function endOfLine(text: string, from: number, most: number): number {
  const end = text.slice(from, Math.max(from, most)).indexOf("\n");
  return Math.min(text.length, end === -1 ? Math.max(from, most) : from + end);
}

/** The longest column with groups of this size; a last line may have only part of a group. */
function columnOf({ columns }: Line, size: number): Column | undefined {
  const same = columns.filter((one) => one.size === size);
  const fitting = same.length > 0 ? same : columns.filter((one) => one.size < size);
  return fitting.reduce<Column | undefined>(
    (longest, one) => (longest === undefined || one.text.length >= longest.text.length ? one : longest),
    undefined,
  );
}

function findIn(text: string, columns: (Column & { end: number })[], isSwapped: boolean, find: Find): Span[] {
  /** By column, the number of digits before it. */
  const starts: number[] = [];
  const digits: string[] = [];
  let count = 0;
  for (const column of columns) {
    const part = digitsOf(column, isSwapped);
    starts.push(count);
    digits.push(part);
    count += part.length;
  }
  if (count < digitsMin) return [];
  const places = new Map<Column, number[]>();
  return find(digits.join("").toLowerCase()).flatMap(([from, to]) => {
    const spans: Span[] = [];
    for (let at = lowerBound(starts, from + 1) - 1; at < columns.length && (starts[at] ?? 0) < to; at += 1) {
      const column = columns[at];
      if (column === undefined) continue;
      const inColumn = places.get(column) ?? placesOf(column, isSwapped);
      places.set(column, inColumn);
      const first = Math.max(0, Math.floor((from - (starts[at] ?? 0)) / 2));
      const last = Math.min(inColumn.length, Math.ceil((to - (starts[at] ?? 0)) / 2));
      const inside = inColumn.slice(first, last).sort((one, other) => one - other);
      spans.push([inside[0] ?? 0, (inside.at(-1) ?? 0) + 2]);
      const end = column.at + column.text.length;
      const [begin, length] = charactersIn(text.slice(end, column.end), inColumn.length);
      const isExact = length === inColumn.length;
      if (length > 0)
        spans.push(isExact ? [end + begin + first, end + begin + last] : [end + begin, end + begin + length]);
    }
    return spans;
  });
}

/** The digits of a column, in the order of the file. */
function digitsOf({ text, size }: Column, isSwapped: boolean): string {
  const digits = text.replace(/0x|[^0-9a-f]+/gi, "");
  if (!isSwapped) return digits;
  let swapped = "";
  for (let start = 0; start < digits.length; start += size) {
    for (let at = Math.min(start + size, digits.length) - 2; at >= start; at -= 2) swapped += digits.slice(at, at + 2);
  }
  return swapped;
}

/** Where each byte of a column is in the text, in the order of the file. */
function placesOf({ at, text }: Column, isSwapped: boolean): number[] {
  return Array.from(text.matchAll(/(?:0x|\\+x)?([0-9a-f]+)/gi)).flatMap(({ index, 0: { length }, 1: group = "" }) => {
    const start = at + index + length - group.length;
    const places = Array.from({ length: group.length / 2 }, (_, place) => start + 2 * place);
    return isSwapped ? places.reverse() : places;
  });
}

/** Start and length of the characters in what follows a line's digits: one a byte, unless something else is there too. */
function charactersIn(rest: string, bytes: number): [start: number, length: number] {
  const bar = /^ *[|>]/.exec(rest)?.[0].length ?? 0;
  if (bar > 0 && /^[|<]/.test(rest.slice(bar + bytes))) return [bar, bytes];
  const start = rest.length - bytes;
  if (start >= 2 && rest.slice(0, start).trim() === "") return [start, bytes];
  if (bar === 0 && !rest.startsWith("  ")) return [0, 0];
  const shown = rest.trimStart();
  return [rest.length - shown.length, shown.trimEnd().length];
}
