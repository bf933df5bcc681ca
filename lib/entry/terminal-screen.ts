import { type AnsiRun, type AnsiStyle, plainStyle } from "./terminal-style.ts";

/** Lines that can still be changed. Terminals are lower: a movement further up depends on their height. */
const rowsMax = 100;
const tabWidth = 8;

/** A screen without width and of unknown height, which keeps what scrolls out of it. */
export class Screen {
  readonly #done: AnsiRun[][] = [];
  #rows: Line[] = [new Line()];
  #row = 0;
  #saved: { line: number; column: number } | null = null;
  /** Blank columns that moves may still add: a few characters can ask for any number. */
  #padding: number;
  #touches: number;

  /** `length`: of the text. */
  constructor(length: number) {
    this.#padding = length;
    this.#touches = 100_000 + 10 * length;
  }

  get #line(): Line {
    return this.#rows[this.#row] as Line;
  }

  write(text: string, style: AnsiStyle): void {
    this.#line.write(text, style);
  }

  lineFeed(): void {
    this.#down();
    this.moveTo(0);
  }

  moveTo(column: number): void {
    const line = this.#line;
    const beyond = Math.max(0, column - Math.max(line.length, line.column));
    const allowed = Math.min(beyond, this.#padding);
    this.#padding -= allowed;
    line.moveTo(Math.max(0, column - beyond + allowed));
  }

  moveBy(columns: number): void {
    this.moveTo(this.#line.column + columns);
  }

  escape(letters: string): void {
    if (letters === "7") this.#save();
    else if (letters === "8") this.#restore();
    else if (letters === "M") this.#up(1);
  }

  control(final: string, parameters: string): void {
    const first = Number.parseInt(parameters, 10);
    const count = Math.max(1, first || 1);
    const line = this.#line;
    switch (final) {
      case "A":
        this.#up(count);
        break;
      case "B":
        this.#toRow(Math.min(this.#row + count, this.#rows.length - 1));
        break;
      case "C":
        this.moveBy(count);
        break;
      case "D":
        this.moveBy(-count);
        break;
      case "E":
        this.#toRow(Math.min(this.#row + count, this.#rows.length - 1));
        this.moveTo(0);
        break;
      case "F":
        this.#up(count);
        this.moveTo(0);
        break;
      case "G":
        this.moveTo(count - 1);
        break;
      case "K":
        if (first !== 1 || this.#mayTouch(line.column)) line.erase(first || 0);
        break;
      case "J":
        if ((first || 0) === 0) {
          line.erase(0);
          this.#rows.length = this.#row + 1;
        } else this.#newFrame();
        break;
      case "H":
      case "f":
      case "d":
        this.#newFrame();
        break;
      case "P":
        if (this.#mayTouch(line.length)) line.remove(count);
        break;
      case "X":
        if (this.#mayTouch(Math.min(count, line.length))) line.blank(Math.min(count, line.length));
        break;
      case "s":
        this.#save();
        break;
      case "u":
        this.#restore();
        break;
    }
  }

  /** Whether so many cells can be changed: all of a hostile text's sequences may not take more than linear time. */
  #mayTouch(cells: number): boolean {
    this.#touches -= cells;
    return this.#touches >= 0;
  }

  /** All lines. */
  end(): AnsiRun[][] {
    for (const line of this.#rows) this.#done.push(line.take());
    return this.#done;
  }

  #down(): void {
    this.#row += 1;
    if (this.#row < this.#rows.length) return;
    this.#rows.push(new Line());
    if (this.#rows.length <= rowsMax) return;
    const first = this.#rows.shift();
    if (first !== undefined) this.#done.push(first.take());
    this.#row -= 1;
  }

  #up(count: number): void {
    if (count > rowsMax) this.#newFrame();
    else this.#toRow(Math.max(0, this.#row - count));
  }

  #toRow(row: number): void {
    if (row === this.#row) return;
    const { column } = this.#line;
    this.#row = row;
    this.moveTo(column);
  }

  /** What comes next must not overwrite anything. */
  #newFrame(): void {
    this.#row = this.#rows.length - 1;
    if (this.#line.length > 0) this.lineFeed();
    else this.moveTo(0);
  }

  #save(): void {
    this.#saved = { line: this.#done.length + this.#row, column: this.#line.column };
  }

  #restore(): void {
    const row = (this.#saved?.line ?? 0) - this.#done.length;
    if (this.#saved === null || row < 0 || row >= this.#rows.length) this.#newFrame();
    else {
      this.#row = row;
      this.moveTo(this.#saved.column);
    }
  }
}

type Cell = { text: string; style: AnsiStyle };

/** One line of a screen without width: text written at a column replaces what was there. */
class Line {
  #runs: AnsiRun[] = [];
  #length = 0;
  /** A cell per column, created when the cursor moves; before that the runs are the line, and the cursor is at its end. */
  #cells: (Cell | undefined)[] | null = null;
  #column = 0;

  get length(): number {
    return this.#cells === null ? this.#length : this.#cells.length;
  }

  get column(): number {
    return this.#cells === null && this.#length > 0 ? this.#split().length : this.#column;
  }

  moveTo(column: number): void {
    if (this.#length > 0) this.#split();
    this.#column = column;
    if (column > 0) this.#cells ??= [];
  }

  write(text: string, style: AnsiStyle): void {
    if (this.#cells === null) {
      appendRun(this.#runs, text, style, this.#length);
      this.#length += text.length;
      return;
    }
    for (const character of text) this.#put(character, style);
  }

  /** 0: from the column on; 1: up to it; 2: the whole line. */
  erase(which: number): void {
    if (which === 0 && this.#cells === null) return;
    const cells = this.#split();
    if (which === 0) cells.length = Math.min(cells.length, this.#column);
    else if (which === 1) cells.fill(undefined, 0, this.#column + 1);
    else cells.length = 0;
  }

  remove(count: number): void {
    this.#split().splice(this.#column, count);
  }

  blank(count: number): void {
    this.#split().fill(undefined, this.#column, this.#column + count);
  }

  /** Returns the finished line. */
  take(): AnsiRun[] {
    if (this.#cells === null) return this.#runs;
    const runs: AnsiRun[] = [];
    let length = 0;
    const end = this.#cells.findLastIndex((cell) => cell !== undefined) + 1;
    for (let column = 0; column < end; column += 1) {
      const { text, style } = this.#cells[column] ?? blank;
      appendRun(runs, text, style, length);
      length += text.length;
    }
    return runs;
  }

  #split(): (Cell | undefined)[] {
    if (this.#cells !== null) return this.#cells;
    const runs = this.#runs;
    this.#cells = [];
    this.#runs = [];
    this.#length = 0;
    this.#column = 0;
    for (const { text, style } of runs) for (const character of text) this.#put(character, style);
    return this.#cells;
  }

  #put(character: string, style: AnsiStyle): void {
    const cells = this.#cells ?? [];
    const at = this.#column;
    if (character === "\t") {
      this.#column = (Math.floor(at / tabWidth) + 1) * tabWidth;
      if (at < cells.length) return;
      cells[at] = { text: "\t", style };
      for (let column = at + 1; column < this.#column; column += 1) cells[column] = tabRest;
      return;
    }
    // A tab of which a part is overwritten becomes the spaces that it is.
    if (cells[at] === tabRest || cells[at + 1] === tabRest) {
      let first = at;
      while (cells[first] === tabRest) first -= 1;
      for (let column = first; column === first || cells[column] === tabRest; column += 1) cells[column] = blank;
    }
    cells[at] = { text: character, style };
    this.#column += 1;
  }
}

const blank: Cell = { text: " ", style: plainStyle };
/** A further column of a tab. */
const tabRest: Cell = { text: "", style: plainStyle };

function appendRun(runs: AnsiRun[], text: string, style: AnsiStyle, at: number): void {
  const last = runs.at(-1);
  if (last !== undefined && last.style === style) last.text += text;
  else if (text !== "") runs.push({ at, text, style });
}
