import { lowerBound } from "#lib/lower-bound.ts";
import { type Find, lineBreaks, type Span } from "./unbroken-text.ts";

const byte = "[0-9a-f]{2}";
/** Numbers of digits in a group, as tools write them; all on a line without spaces count as one group. */
const sizes = [32, 16, 8, 4];
const groups = sizes.map((size) => {
  const group = `[0-9a-f]{${size}}`;
  // xxd aligns a last group at the right if its bytes are reversed.
  return `${group}(?: ${group})*(?:(?: | {3,7})(?:${byte}){1,${size / 2 - 1}})?`;
});
const prefix = "(?:0x|\\\\{1,8}x)";
const between = "(?:[ :]|,? ?0x|\\\\{1,8}x)";
/** A line's digits: `hexdump -C` has two spaces after eight bytes, C has `0x54, 0x72`, others have `54:72` and `\x54\x72`. */
const columns = [
  `${byte}(?: ${byte}){7}  ${byte}(?: ${byte}){0,7}`,
  ...groups,
  `${prefix}?${byte}(?:${between}${byte})*`,
  `(?:${byte}){3,15}`,
];
const column = new RegExp(
  `(?:(?<!\\w)|(?<=\\\\[rn]))(?=[0-9a-f\\\\])(?:${columns.map((one) => `${one}(?![\\w:])`).join("|")})`,
  "gi",
);
/** What every dump has, to look closely at few other texts. */
const likeDump = new RegExp(`${byte}${between}(?:${byte}){1,8}${between}${byte}|(?:${byte}){8}`, "i");
/** Fewer digits are no secret. */
const digitsMin = 12;

type Column = { at: number; text: string; size: number };
type Line = { columns: Column[]; end: number };

/**
 * Ranges that `find` finds in the digits of hex dumps (xxd, hexdump, od), without the offsets and characters beside them: of each
 * line its digits and, after them, its characters. Groups of two bytes and more are read in both byte orders.
 */
export function findDumped(text: string, find: Find): Span[] {
  const lines = linesOf(text);
  const found = new Set(lines.flatMap((line) => line.columns.map(({ size }) => size)));
  return [...sizes, 2].flatMap((size) => {
    if (!found.has(size)) return [];
    const picked = lines.flatMap((line) => {
      const column = columnOf(line, size);
      return column === undefined ? [] : [{ ...column, end: line.end }];
    });
    return (size === 2 ? [false] : [false, true]).flatMap((isSwapped) => findIn(text, picked, isSwapped, find));
  });
}

/** Lines with columns. Lines that cannot belong to a dump are passed over: the search for columns is slow. */
function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  const breaks = new RegExp(lineBreaks);
  const likely = new RegExp(likeDump, "gi");
  const columnsFrom = new RegExp(column);
  let line: Line = { columns: [], end: 0 };
  let end = 0;
  for (let like = likely.exec(text); like !== null; like = likely.exec(text)) {
    const start = Math.max(end, text.lastIndexOf("\n", like.index) + 1);
    const lineEnd = endOfLine(text, like.index);
    likely.lastIndex = lineEnd;
    // The last line of a dump may be short.
    end = Math.max(end, endOfLine(text, lineEnd + 1));
    columnsFrom.lastIndex = start;
    for (let part = columnsFrom.exec(text); part !== null && part.index < end; part = columnsFrom.exec(text)) {
      if (part.index >= line.end) {
        breaks.lastIndex = columnsFrom.lastIndex;
        line = { columns: [], end: breaks.exec(text)?.index ?? text.length };
        lines.push(line);
      }
      const first = /[0-9a-f]{2,}/i.exec(part[0])?.[0] ?? "";
      line.columns.push({ at: part.index, text: part[0], size: first.length });
    }
  }
  return lines;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
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
