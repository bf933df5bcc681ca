import { Lru } from "#lib/lru.ts";

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

/** The parameters of the sequence that sets exactly this style. */
export function sgrOf(style: AnsiStyle): string {
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

/** The style after a sequence of these parameters. */
export function styled(style: AnsiStyle, parameters: string): AnsiStyle {
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
