import { diffArrays, diffWordsWithSpace } from "diff";
import { comparableLines, endSigns, type LineEnd, withEnd, withoutLineFeed } from "#lib/entry/line-ends.ts";
import type { PatchHunk, PatchLine } from "#lib/entry/patch.ts";

/** A changed range of a line, in UTF-16 units, `to` exclusive. */
export type WordMark = { from: number; to: number };

/** One line of a diff. Line numbers count from 1; null if the line is not in that version or its number is unknown. */
export type DiffLine = {
  kind: "same" | "added" | "removed";
  id: number;
  oldLine: number | null;
  newLine: number | null;
  text: string;
  marks: readonly WordMark[];
  end: LineEnd;
  /** What to show of its end, as its text does not; null if nothing. */
  endSign: string | null;
};

/** Marks of most lines: none. */
const unmarked: readonly WordMark[] = [];

/** Unchanged lines between two changes: available (`lines`), or not part of the patch (`lines` is empty). */
export type DiffGap = { kind: "gap"; id: number; lines: DiffLine[]; heading: string };

export type DiffRow = DiffLine | DiffGap;

/** A diff for display. `isWholesale` if the versions differ too much to compare line by line: one replaces the other. */
export type Diff = { rows: DiffRow[]; added: number; removed: number; isWholesale: boolean };

const contextLines = 3;
/** Limits of the comparison: beyond them the middle is shown as replaced. */
const comparedLinesMax = 20_000;
const editsMax = 3_000;
const comparedWithinMs = 60;
/** Limits for marking words; lines beyond them are marked completely. */
const markedLineMax = 400;
const markedPairsMax = 200;
const markedEditsMax = 80;

/**
 * Compares two versions of a text by lines. `oldText` null means the file is new; the text begins at line `firstLine` of its
 * file, null if unknown.
 */
export function diffOfTexts(oldText: string | null, newText: string, firstLine: number | null = 1): Diff {
  const [before, after] = comparableLines(oldText, newText, firstLine === 1);
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const [removed, added] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
  const changes = changesOf(removed, added);
  const writer = new LineWriter(firstLine, firstLine);
  const add = (kind: DiffLine["kind"], lines: readonly string[]) => {
    for (const line of lines) {
      const { text, end } = withoutLineFeed(line);
      writer.add(kind, text, end);
    }
  };
  add("same", before.slice(0, head));
  for (const { kind, lines } of changes ?? wholesale(removed, added)) add(kind, lines);
  add("same", tail === 0 ? [] : before.slice(-tail));
  markWords(writer.lines);
  markEnds(writer.lines);
  return { ...countsOf(writer.lines), rows: folded(writer.lines), isWholesale: changes === null };
}

/**
 * Rows for the hunks of one file of a patch. With `whole`, the lines of the whole new file, the lines between and after the hunks
 * are included, folded; otherwise they are unknown.
 */
export function diffOfHunks(hunks: readonly PatchHunk[], whole: readonly string[] | null = null): Diff {
  const rows: DiffRow[] = [];
  const all: DiffLine[] = [];
  const take = (writer: LineWriter) => {
    for (const line of writer.lines) all.push(line);
    return writer.lines;
  };
  // The numbers with which the gap before the next hunk begins.
  let [oldNext, newNext]: [number | null, number | null] = [1, 1];
  const around = (toLine: number): DiffLine[] => {
    if (whole === null || newNext === null) return [];
    const writer = new LineWriter(oldNext, newNext, all.length);
    // How these lines end is not known.
    for (const text of whole.slice(newNext - 1, toLine - 1)) writer.add("same", text, null);
    return take(writer);
  };
  for (const [index, hunk] of hunks.entries()) {
    const isFirstLine = index === 0 && (hunk.newStart ?? 2) <= 1;
    const before = hunk.newStart === null ? [] : around(firstLineOf(hunk.newStart, newCount(hunk)));
    if (!isFirstLine && (whole === null || before.length > 0))
      rows.push({ kind: "gap", id: -1 - index, lines: before, heading: hunk.heading });
    const writer = new LineWriter(
      hunk.oldStart === null ? null : firstLineOf(hunk.oldStart, hunk.lines.length - countOf(hunk, "added")),
      hunk.newStart === null ? null : firstLineOf(hunk.newStart, newCount(hunk)),
      all.length,
    );
    for (const line of hunk.lines) {
      const { text, end } = endedLine(line);
      writer.add(line.kind, text, end);
    }
    for (const line of take(writer)) rows.push(line);
    [oldNext, newNext] = writer.next;
  }
  const after = whole === null ? [] : around(whole.length + 1);
  const mayGoOn = whole === null && hasFullContext(hunks.at(-1));
  if (mayGoOn || after.length > 0) rows.push({ kind: "gap", id: -1 - hunks.length, lines: after, heading: "" });
  markWords(all);
  markEnds(all);
  return { ...countsOf(all), rows, isWholesale: false };
}

/** Whether these are the lines of the file that results from the hunks. */
export function fitsHunks(hunks: readonly PatchHunk[], whole: readonly string[]): boolean {
  return hunks.every((hunk) => {
    if (hunk.newStart === null) return false;
    const lines = hunk.lines.filter(({ kind }) => kind !== "removed");
    const from = firstLineOf(hunk.newStart, lines.length) - 1;
    return lines.every((line, place) => whole[from + place] === endedLine(line).text);
  });
}

/** Whether the hunk ends with as many unchanged lines as git shows; with fewer, the file ends there. */
function hasFullContext(hunk: PatchHunk | undefined): boolean {
  const last = hunk?.lines.slice(-contextLines) ?? [];
  return last.length === contextLines && last.every(({ kind }) => kind === "same");
}

/** For a side without lines, git gives the number of the line before (`-3,0`). */
function firstLineOf(start: number, count: number): number {
  return count === 0 ? start + 1 : start;
}

function newCount(hunk: PatchHunk): number {
  return hunk.lines.length - countOf(hunk, "removed");
}

function countOf({ lines }: PatchHunk, kind: DiffLine["kind"]): number {
  return lines.reduce((sum, line) => sum + (line.kind === kind ? 1 : 0), 0);
}

/** A carriage return before a missing line feed is part of the text, as it is for {@link fitsHunks}' file. */
function endedLine({ text, isUnended = false }: PatchLine) {
  return withEnd(text, isUnended);
}

/** Sets `endSign` of the lines whose end makes a difference. */
function markEnds(lines: readonly DiffLine[]): void {
  const signOf = endSigns(lines.map(({ end }) => end));
  for (const line of lines) line.endSign = signOf(line.kind, line.end);
}

type Change = { kind: DiffLine["kind"]; lines: string[] };

function changesOf(removed: string[], added: string[]): Change[] | null {
  if (removed.length === 0 || added.length === 0) return wholesale(removed, added);
  if (removed.length + added.length > comparedLinesMax) return null;
  const parts = diffArrays(removed, added, { maxEditLength: editsMax, timeout: comparedWithinMs });
  return (
    parts?.map(({ value, added: isAdded, removed: isRemoved }) => ({
      kind: isAdded ? "added" : isRemoved ? "removed" : "same",
      lines: value,
    })) ?? null
  );
}

function wholesale(removed: string[], added: string[]): Change[] {
  return [
    { kind: "removed", lines: removed },
    { kind: "added", lines: added },
  ];
}

class LineWriter {
  readonly lines: DiffLine[] = [];
  #oldLine: number | null;
  #newLine: number | null;
  #id: number;

  /** Numbers of the next lines. */
  get next(): [oldLine: number | null, newLine: number | null] {
    return [this.#oldLine, this.#newLine];
  }

  constructor(oldLine: number | null, newLine: number | null, firstId = 0) {
    this.#oldLine = oldLine;
    this.#newLine = newLine;
    this.#id = firstId;
  }

  add(kind: DiffLine["kind"], text: string, end: LineEnd): void {
    const oldLine = kind === "added" ? null : this.#oldLine;
    const newLine = kind === "removed" ? null : this.#newLine;
    if (oldLine !== null) this.#oldLine = oldLine + 1;
    if (newLine !== null) this.#newLine = newLine + 1;
    this.lines.push({ kind, id: this.#id++, oldLine, newLine, text, marks: unmarked, end, endSign: null });
  }
}

function countsOf(lines: readonly DiffLine[]): { added: number; removed: number } {
  const count = (kind: DiffLine["kind"]) => lines.reduce((sum, line) => sum + (line.kind === kind ? 1 : 0), 0);
  return { added: count("added"), removed: count("removed") };
}

/** Folds unchanged lines far from any change; a gap of one line would save nothing. */
function folded(lines: readonly DiffLine[]): DiffRow[] {
  const rows: DiffRow[] = [];
  let start = 0;
  while (start < lines.length) {
    let end = start;
    while (lines[end]?.kind === "same") end += 1;
    const [from, to] = [start === 0 ? 0 : start + contextLines, end === lines.length ? end : end - contextLines];
    const isFolded = to - from > 1 && !(start === 0 && end === lines.length);
    const hidden = isFolded ? lines.slice(from, to) : [];
    for (const line of lines.slice(start, isFolded ? from : end)) rows.push(line);
    const firstHidden = hidden[0];
    if (firstHidden !== undefined) {
      rows.push({ kind: "gap", id: -1 - firstHidden.id, lines: hidden, heading: "" });
      for (const line of lines.slice(to, end)) rows.push(line);
    }
    start = end;
    for (let line = lines[start]; line !== undefined && line.kind !== "same"; line = lines[start]) {
      rows.push(line);
      start += 1;
    }
  }
  return rows;
}

/** Marks the changed words of lines that were replaced one for one. */
function markWords(lines: readonly DiffLine[]): void {
  let pairs = 0;
  for (let start = 0; start < lines.length && pairs < markedPairsMax; ) {
    let middle = start;
    while (lines[middle]?.kind === "removed") middle += 1;
    let end = middle;
    while (lines[end]?.kind === "added") end += 1;
    for (let place = 0; place < Math.min(middle - start, end - middle) && pairs < markedPairsMax; place++) {
      const [removed, added] = [lines[start + place], lines[middle + place]];
      if (removed !== undefined && added !== undefined) markPair(removed, added);
      pairs += 1;
    }
    start = Math.max(end, start + 1);
  }
}

function markPair(removed: DiffLine, added: DiffLine): void {
  if (Math.max(removed.text.length, added.text.length) > markedLineMax) return;
  const parts = diffWordsWithSpace(removed.text, added.text, { maxEditLength: markedEditsMax, timeout: 10 });
  if (parts === undefined) return;
  const common = parts.reduce((sum, part) => sum + (part.added || part.removed ? 0 : part.value.trim().length), 0);
  // Lines with little in common are two lines, not an edited one.
  if (common < Math.max(removed.text.trim().length, added.text.trim().length) * 0.3) return;
  const [before, after]: [WordMark[], WordMark[]] = [[], []];
  let [from, to] = [0, 0];
  for (const part of parts) {
    const { length } = part.value;
    if (part.removed) before.push({ from, to: from + length });
    if (part.added) after.push({ from: to, to: to + length });
    if (!part.added) from += length;
    if (!part.removed) to += length;
  }
  removed.marks = before;
  added.marks = after;
}
