import { Lru } from "#lib/lru.ts";
import { sequenceReader, sequenceStarts } from "./terminal-sequences.ts";

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
 * Parses the output of a terminal program into lines of styled runs, in linear time.
 *
 * Keeps colors and styles (SGR); carriage returns and backspaces overwrite, as the final state of a terminal would show; erasing
 * a line is obeyed. All other sequences are dropped: cursor movements, window titles, hyperlinks (their label stays). An
 * unterminated sequence loses only its introducer, so that it cannot hide the text after it.
 */
export function parseAnsiLines(text: string): AnsiRun[][] {
  const line = new LineBuffer();
  const lines: AnsiRun[][] = [];
  const sequenceAt = sequenceReader(text);
  let style = plainStyle;
  let place = 0;
  while (place < text.length) {
    special.lastIndex = place;
    const next = special.exec(text)?.index ?? text.length;
    if (next > place) line.write(text.slice(place, next), style);
    place = next + 1;
    switch (text[next]) {
      case undefined:
        break;
      case "\n":
        lines.push(line.take());
        break;
      case "\r":
        if (text[next + 1] !== "\n") line.column = 0;
        break;
      case "\b":
        line.column = Math.max(0, line.column - 1);
        break;
      case "\u0007":
        break;
      default: {
        const sequence = sequenceAt(next);
        if (sequence.sgr !== null) style = styled(style, sequence.sgr);
        if (sequence.erase !== null) line.erase(sequence.erase);
        place = sequence.to;
      }
    }
  }
  lines.push(line.take());
  return lines;
}

const anyAnsi = new RegExp(`[\\u0007\\u0008${sequenceStarts}]|\\r(?!\\n|$)`);
const special = new RegExp(`[\\n\\r\\u0007\\u0008${sequenceStarts}]`, "g");

/** One line of a screen without width: text written at a column replaces what was there. */
class LineBuffer {
  #runs: AnsiRun[] = [];
  #length = 0;
  /** One item per character, created when something is overwritten; before that the runs are the line. */
  #cells: { text: string; style: AnsiStyle }[] | null = null;
  #column = 0;

  get column(): number {
    return this.#column;
  }

  set column(column: number) {
    if (this.#cells === null && column < this.#column) {
      this.#cells = this.#runs.flatMap(({ text, style }) =>
        Array.from(text, (character) => ({ text: character, style })),
      );
      this.#runs = [];
      if (column > 0) column = Math.max(0, this.#cells.length - (this.#column - column));
    }
    this.#column = column;
  }

  write(text: string, style: AnsiStyle): void {
    if (this.#cells === null) {
      appendRun(this.#runs, text, style, this.#length);
      this.#length += text.length;
      this.#column = this.#length;
      return;
    }
    for (const character of text) {
      this.#cells[this.#column] = { text: character, style };
      this.#column += 1;
    }
  }

  /** `0` or nothing erases from the column on; `2` the whole line, which programs use to rewrite it. */
  erase(parameter: string): void {
    if (parameter === "2") {
      this.#cells = null;
      this.#runs = [];
      this.#length = 0;
      this.#column = 0;
    } else if ((parameter === "" || parameter === "0") && this.#cells !== null) {
      this.#cells.length = Math.min(this.#cells.length, this.#column);
    }
  }

  /** Returns the finished line and clears the buffer. */
  take(): AnsiRun[] {
    let runs = this.#runs;
    if (this.#cells !== null) {
      runs = [];
      let length = 0;
      for (const { text, style } of this.#cells) {
        appendRun(runs, text, style, length);
        length += text.length;
      }
    }
    this.#runs = [];
    this.#cells = null;
    this.#length = 0;
    this.#column = 0;
    return runs;
  }
}

function appendRun(runs: AnsiRun[], text: string, style: AnsiStyle, at: number): void {
  const last = runs.at(-1);
  if (last !== undefined && last.style === style) last.text += text;
  else runs.push({ at, text, style });
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
