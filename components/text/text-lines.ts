/** Lines of a text by number, without copying them. A line feed at the very end starts no further line. */
export class TextLines {
  readonly text: string;
  /** Number of lines; 0 for an empty text. */
  readonly count: number;
  readonly #starts: Uint32Array;

  constructor(text: string) {
    this.text = text;
    let starts = new Uint32Array(64);
    let count = 0;
    for (let start = 0; start < text.length; count++) {
      if (count === starts.length) {
        const longer = new Uint32Array(count * 2);
        longer.set(starts);
        starts = longer;
      }
      starts[count] = start;
      const end = text.indexOf("\n", start);
      start = end === -1 ? text.length : end + 1;
    }
    this.#starts = starts;
    this.count = count;
  }

  /**
   * Pages of at most that many lines and UTF-16 units, in order and without gaps; a line longer than a page is cut. `lastLine`
   * is exclusive; the line feed that ends a page is not part of its text.
   */
  pages(linesMax: number, lengthMax: number): TextPage[] {
    const pages: TextPage[] = [];
    const startOf = (line: number) => (line < this.count ? (this.#starts[line] ?? 0) : this.text.length);
    for (let line = 0; line < this.count; ) {
      const start = startOf(line);
      let lastLine = Math.min(this.count, line + linesMax);
      // Halving from the top finds a nearly full page in a few steps.
      while (lastLine > line + 1 && startOf(lastLine) - start > lengthMax) lastLine = line + ((lastLine - line) >> 1);
      const end = startOf(lastLine);
      for (let from = start; from < end; from += lengthMax) {
        const to = Math.min(end, from + lengthMax);
        const text = this.text.slice(from, to);
        pages.push({ firstLine: line, lastLine, start: from, text: to === end ? withoutLineFeed(text) : text });
      }
      line = lastLine;
    }
    return pages;
  }

  /**
   * Lines from..to (exclusive), each at most its first `lengthMax` UTF-16 units: as one text, with the number of missing units
   * per line.
   */
  beginnings(from: number, to: number, lengthMax: number): { text: string; missing: number[] } {
    const texts: string[] = [];
    const missing: number[] = [];
    for (let line = from; line < Math.min(to, this.count); line++) {
      const start = this.#starts[line] ?? 0;
      const next = line + 1 < this.count ? (this.#starts[line + 1] ?? 0) : this.text.length;
      const ending = /\r?\n$/.exec(this.text.slice(Math.max(start, next - 2), next))?.[0] ?? "";
      const end = next - ending.length;
      const [shown = ""] = rowsOfLine(this.text.slice(start, Math.min(end, start + lengthMax + 1)), lengthMax);
      texts.push(shown);
      missing.push(end - start - shown.length);
    }
    return { text: texts.join("\n"), missing };
  }

  /** Lines from..to (exclusive) as one text, without the final line feed. */
  slice(from: number, to: number): string {
    if (from >= Math.min(to, this.count)) return "";
    const end = to < this.count ? (this.#starts[to] ?? 0) : this.text.length;
    return withoutLineFeed(this.text.slice(this.#starts[from], end));
  }
}

/** A part of a text shown at once. Lines count from 0; `start` is the part's position in the text. */
export type TextPage = { firstLine: number; lastLine: number; start: number; text: string };

function withoutLineFeed(text: string): string {
  return text.endsWith("\n") ? text.slice(0, text.endsWith("\r\n") ? -2 : -1) : text;
}

/** Visible part of a text: its lines before and after the fold, and the number of folded lines. */
export type Fold = { head: number; tail: number; hidden: number };

/** Folds nothing if fewer than `slack` lines would be hidden: a button in place of two lines helps nobody. */
export function foldOf(count: number, head: number, tail: number, slack = 3): Fold {
  const hidden = count - head - tail;
  return hidden < slack ? { head: count, tail: 0, hidden: 0 } : { head, tail, hidden };
}

/** Whether a line of the text has more than `max` UTF-16 units. */
export function hasLineLongerThan(max: number, text: string): boolean {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf("\n", start);
    if ((end === -1 ? text.length : end) - start > max) return true;
    start = end === -1 ? text.length : end + 1;
  }
  return false;
}

/** Maximum characters of a row; longer lines continue in the next one. Engines lay out a line of megabytes in seconds. */
export const rowLengthMax = 2_000;

/** Cuts one line into rows of at most `max` UTF-16 units (2 or more), never inside a surrogate pair. */
export function rowsOfLine(line: string, max = rowLengthMax): string[] {
  if (line.length <= max) return [line];
  const rows: string[] = [];
  for (let start = 0; start < line.length; ) {
    let end = Math.min(line.length, start + max);
    const last = line.charCodeAt(end - 1);
    if (end < line.length && last >= 0xd800 && last <= 0xdbff) end -= 1;
    rows.push(line.slice(start, end));
    start = end;
  }
  return rows;
}
