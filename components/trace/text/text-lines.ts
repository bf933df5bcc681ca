/** The lines of a text by their places in it, without copies of them. A line feed at the very end begins no further line. */
export class TextLines {
  readonly text: string;
  /** How many lines there are; 0 for an empty text. */
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

  /** The lines from..to (excluded) as one text, without the line feed that ends the last of them. */
  slice(from: number, to: number): string {
    if (from >= Math.min(to, this.count)) return "";
    const end = to < this.count ? (this.#starts[to] ?? 0) : this.text.length;
    const part = this.text.slice(this.#starts[from], end);
    return part.endsWith("\n") ? part.slice(0, part.endsWith("\r\n") ? -2 : -1) : part;
  }
}

/** What of a text is shown: its lines before and after the fold, and how many are folded between them. */
export type Fold = { head: number; tail: number; hidden: number };

/** Folds nothing when fewer than `slack` lines would be hidden: a button in place of two lines helps nobody. */
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

/** Characters of one row; longer lines go on in the next one. Engines lay out a line of megabytes in seconds. */
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
