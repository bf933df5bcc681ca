/** A color token and the opacity to draw it with, 0 to 1. */
export type Tint = { token: string; alpha: number };

/** A canvas with the colors of the page. */
export class Pencil {
  readonly context: CanvasRenderingContext2D;
  readonly #style = getComputedStyle(document.documentElement);

  constructor(context: CanvasRenderingContext2D) {
    this.context = context;
  }

  /** The current value of a color token. */
  colorOf(token: string): string {
    return this.#style.getPropertyValue(token);
  }

  fill(x: number, y: number, width: number, height: number, { token, alpha }: Tint): void {
    this.context.globalAlpha = alpha;
    this.context.fillStyle = this.colorOf(token);
    this.context.fillRect(x, y, width, height);
    this.context.globalAlpha = 1;
  }
}
