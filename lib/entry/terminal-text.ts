// A screen, its lines and their styles in one file: each is meaningless without the others.
import { Lru } from "#lib/lru.ts";
import { sequenceReader, sequenceStarts, withoutSequences } from "./terminal-sequences.ts";

/** A color of terminal text: one of the palette's 16, or an exact one as `r g b`, each 0 to 255. */
export type AnsiColor = { palette: number } | { rgb: string };

/** Style of terminal text. */
export type AnsiStyle = {
  color: AnsiColor | null;
  background: AnsiColor | null;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
  strike: boolean;
  inverse: boolean;
};

/** Text of one style on one line; `at` is its column in UTF-16 units. Contains no line feed and no escape sequence. */
export type AnsiRun = { at: number; text: string; style: AnsiStyle };

/** The style at the beginning and after a reset. */
export const plainStyle: AnsiStyle = {
  color: null,
  background: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  strike: false,
  inverse: false,
};

/** Whether parseAnsiLines would change the text. */
export function hasAnsi(text: string): boolean {
  return anyAnsi.test(text);
}

/**
 * Parses the output of a terminal program into lines of styled runs, in linear time: what a terminal would show at the end.
 *
 * Keeps colors and styles (SGR). Carriage returns, backspaces, erasing and movements of the cursor are followed, up to a hundred
 * lines back. What would clear the screen or move to a place that depends on its height begins a new line instead, so that no
 * text is lost. All other sequences are dropped: window titles, hyperlinks (their label stays). An unterminated sequence loses only
 * its introducer, so that it cannot hide the text after it.
 */
export function parseAnsiLines(text: string): AnsiRun[][] {
  const screen = new Screen(text.length);
  const sequenceAt = sequenceReader(text);
  let style = plainStyle;
  let place = 0;
  while (place < text.length) {
    special.lastIndex = place;
    const next = special.exec(text)?.index ?? text.length;
    if (next > place) screen.write(text.slice(place, next), style);
    place = next + 1;
    switch (text[next]) {
      case undefined:
        break;
      case "\n":
        screen.lineFeed();
        break;
      case "\r":
        if (text[next + 1] !== "\n") screen.moveTo(0);
        break;
      case "\b":
        screen.moveBy(-1);
        break;
      case "\u0007":
        break;
      default: {
        const sequence = sequenceAt(next);
        if (sequence.final === "m") style = styled(style, sequence.parameters);
        else if (sequence.final !== null) screen.control(sequence.final, sequence.parameters);
        else if (sequence.escape !== null) screen.escape(sequence.escape);
        place = sequence.to;
      }
    }
  }
  return screen.end();
}

/**
 * The text that a terminal would show at the end, with its colors as sequences: {@link parseAnsiLines} of it is the same, and each of
 * its lines can be read alone. A text in which nothing is overwritten is returned as it is.
 */
export function terminalText(text: string): string {
  if (!overwrites.test(text)) return text;
  let style = plainStyle;
  const lines = parseAnsiLines(text).map((runs) =>
    runs
      .map((run) => {
        const change = run.style === style ? "" : `\u001B[${sgrOf(run.style)}m`;
        style = run.style;
        return change + run.text;
      })
      .join(""),
  );
  return lines.join("\n");
}

/** {@link terminalText} without colors and other sequences: the words that its reader sees. */
export function plainTerminalText(text: string): string {
  if (!anyAnsi.test(text)) return text;
  return withoutSequences(terminalText(text)).replaceAll("\u0007", "");
}

const anyAnsi = new RegExp(`[\\u0007\\u0008${sequenceStarts}]|\\r(?!\\n|$)`);
const esc = "\\u001B";
/** What can overwrite or move, and not the sequences that set colors. */
const overwrites = new RegExp(`\\u0008|\\r(?!\\n|$)|(?:${esc}\\[|\\u009B)[0-9;:]*[@-Zsu]|${esc}[78M]`);
const special = new RegExp(`[\\n\\r\\u0007\\u0008${sequenceStarts}]`, "g");

/** Lines that can still be changed. Terminals are lower: a movement further up depends on their height. */
const rowsMax = 100;
const tabWidth = 8;

/** A screen without width and of unknown height, which keeps what scrolls out of it. */
class Screen {
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

/** The parameters of the sequence that sets exactly this style. */
function sgrOf(style: AnsiStyle): string {
  const { bold, dim, italic, underline, strike, inverse } = style;
  const flags = { 1: bold, 2: dim, 3: italic, 4: underline, 7: inverse, 9: strike };
  return [
    0,
    ...Object.entries(flags).flatMap(([code, isOn]) => (isOn ? [code] : [])),
    ...colorCodes(style.color, 30, 38),
    ...colorCodes(style.background, 40, 48),
  ].join(";");
}

function colorCodes(color: AnsiColor | null, first: number, extended: number): (number | string)[] {
  if (color === null) return [];
  if ("rgb" in color) return [extended, 2, ...color.rgb.split(" ")];
  return [color.palette < 8 ? first + color.palette : first + 60 + color.palette - 8];
}

/** Cached styles, by the style before and the sequence: programs repeat a handful of them. */
const stylesAfter = new Lru<AnsiStyle, Lru<string, AnsiStyle>>({ count: 200 });

function styled(style: AnsiStyle, parameters: string): AnsiStyle {
  const after = stylesAfter.obtain(style, () => new Lru({ count: 200 }));
  return after.obtain(parameters, () => newStyle(style, parameters));
}

function newStyle(style: AnsiStyle, parameters: string): AnsiStyle {
  const next = { ...style };
  // The colon form (38:2::r:g:b) carries an empty color space that the semicolon form lacks.
  const codes = parameters
    .replace(/([34]8):2:[0-9]*:([0-9]+:[0-9]+:[0-9]+)/g, "$1:2:$2")
    .split(/[;:]/)
    .map(Number);
  for (let place = 0; place < codes.length; place++) {
    const code = codes[place] ?? 0;
    if (code === 38 || code === 48 || code === 58) {
      const { color, used } = extendedColor(codes, place + 1);
      if (code === 38) next.color = color ?? next.color;
      if (code === 48) next.background = color ?? next.background;
      place += used;
    } else {
      applyCode(next, code);
    }
  }
  return isSame(next, plainStyle) ? plainStyle : isSame(next, style) ? style : next;
}

function applyCode(style: AnsiStyle, code: number): void {
  if (code === 0) Object.assign(style, plainStyle);
  else if (code === 1) style.bold = true;
  else if (code === 2) style.dim = true;
  else if (code === 3) style.italic = true;
  else if (code === 4 || code === 21) style.underline = true;
  else if (code === 7) style.inverse = true;
  else if (code === 9) style.strike = true;
  else if (code === 22) style.bold = style.dim = false;
  else if (code === 23) style.italic = false;
  else if (code === 24) style.underline = false;
  else if (code === 27) style.inverse = false;
  else if (code === 29) style.strike = false;
  else if (code === 39) style.color = null;
  else if (code === 49) style.background = null;
  else if (code >= 30 && code <= 37) style.color = { palette: code - 30 };
  else if (code >= 40 && code <= 47) style.background = { palette: code - 40 };
  else if (code >= 90 && code <= 97) style.color = { palette: code - 90 + 8 };
  else if (code >= 100 && code <= 107) style.background = { palette: code - 100 + 8 };
}

function extendedColor(codes: readonly number[], place: number): { color: AnsiColor | null; used: number } {
  const [mode, first, second, third] = codes.slice(place, place + 4);
  if (mode === 5) return { color: first === undefined ? null : indexedColor(first), used: 2 };
  if (mode !== 2) return { color: null, used: 1 };
  const parts = [first ?? 0, second ?? 0, third ?? 0].map((part) => Math.min(255, part));
  return { color: { rgb: parts.join(" ") }, used: 4 };
}

/** The xterm palette of 256: 16 named colors, a cube of 6×6×6, 24 grays. */
function indexedColor(index: number): AnsiColor | null {
  if (index < 16) return { palette: index };
  if (index > 255) return null;
  if (index >= 232)
    return {
      rgb: Array(3)
        .fill(8 + (index - 232) * 10)
        .join(" "),
    };
  const steps = [0, 95, 135, 175, 215, 255];
  const cube = index - 16;
  return { rgb: [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((step) => steps[step]).join(" ") };
}

function isSame(one: AnsiStyle, other: AnsiStyle): boolean {
  return (
    keyOf(one.color) === keyOf(other.color) &&
    keyOf(one.background) === keyOf(other.background) &&
    one.bold === other.bold &&
    one.dim === other.dim &&
    one.italic === other.italic &&
    one.underline === other.underline &&
    one.strike === other.strike &&
    one.inverse === other.inverse
  );
}

function keyOf(color: AnsiColor | null): string | number | null {
  if (color === null) return null;
  return "palette" in color ? color.palette : color.rgb;
}
