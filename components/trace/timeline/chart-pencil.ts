import { Pencil, type Tint } from "#components/canvas/pencil.ts";

/** A pencil that can also write in the page's font, and draw outlines and hatching. */
export class ChartPencil extends Pencil {
  readonly #font = getComputedStyle(document.body).fontFamily;
  readonly #hatches = new Map<string, CanvasPattern | null>();

  /** Hatching, for time in which nothing is done: it can be told from work without color. */
  hatch(x: number, y: number, width: number, height: number, tint: Tint): void {
    const pattern = this.#hatchOf(tint);
    if (pattern === null) return;
    this.context.fillStyle = pattern;
    this.context.fillRect(x, y, width, height);
  }

  /** Outline of a box, drawn inside it. */
  outline(x: number, y: number, width: number, height: number, { token, alpha }: Tint, line = 1): void {
    this.context.globalAlpha = alpha;
    this.context.strokeStyle = this.colorOf(token);
    this.context.lineWidth = line;
    this.context.strokeRect(x + line / 2, y + line / 2, Math.max(0, width - line), Math.max(0, height - line));
    this.context.globalAlpha = 1;
  }

  /** A word at its left edge, vertically centered, cut if it is wider than `widthMax`; nothing if too little would be left. */
  write(
    words: string,
    x: number,
    y: number,
    tint: Tint,
    { widthMax = Number.POSITIVE_INFINITY, size = 11 } = {},
  ): void {
    this.context.font = `${size}px ${this.#font}`;
    const fitting = this.#cut(words, widthMax);
    if (fitting === "") return;
    this.context.globalAlpha = tint.alpha;
    this.context.fillStyle = this.colorOf(tint.token);
    this.context.textBaseline = "middle";
    this.context.fillText(fitting, x, y);
    this.context.globalAlpha = 1;
  }

  widthOf(words: string, size = 11): number {
    this.context.font = `${size}px ${this.#font}`;
    return this.context.measureText(words).width;
  }

  #cut(words: string, widthMax: number): string {
    if (widthMax === Number.POSITIVE_INFINITY || this.context.measureText(words).width <= widthMax) return words;
    for (let length = Math.min(words.length - 1, Math.floor(widthMax / 4)); length > 2; length -= 1) {
      const cut = `${words.slice(0, length)}…`;
      if (this.context.measureText(cut).width <= widthMax) return cut;
    }
    return "";
  }

  #hatchOf({ token, alpha }: Tint): CanvasPattern | null {
    const key = `${token} ${alpha}`;
    const known = this.#hatches.get(key);
    if (known !== undefined) return known;
    const pattern = this.#makeHatch(this.colorOf(token), alpha);
    this.#hatches.set(key, pattern);
    return pattern;
  }

  #makeHatch(color: string, alpha: number): CanvasPattern | null {
    const ratio = this.context.getTransform().a;
    const size = Math.max(6, Math.round(6 * ratio));
    const tile = document.createElement("canvas");
    tile.width = size;
    tile.height = size;
    const brush = tile.getContext("2d");
    if (brush === null) return null;
    brush.strokeStyle = color;
    brush.globalAlpha = alpha;
    brush.lineWidth = size / 5;
    // Lines that leave the tile at one edge enter it at the other.
    for (const shift of [-size, 0, size]) {
      brush.beginPath();
      brush.moveTo(shift - 1, size + 1);
      brush.lineTo(shift + size + 1, -1);
      brush.stroke();
    }
    const pattern = this.context.createPattern(tile, "repeat");
    pattern?.setTransform(new DOMMatrix().scale(1 / ratio));
    return pattern;
  }
}
