import type { Range } from "./timeline-data.ts";

/** Maximum width of a hidden gap, in px: enough for the mark that time is left out. */
const GAP_WIDTH_MAX = 12;
/** Maximum share of the width for all hidden gaps together. */
const GAPS_SHARE_MAX = 0.25;
/** Shortest range that can be shown, in ms. */
export const VIEW_MS_MIN = 50;

/** Time without its hidden gaps; `gaps` are in order and do not touch. */
export class ShownTime {
  readonly gaps: readonly Range[];

  constructor(gaps: readonly Range[]) {
    this.gaps = gaps;
  }

  /** Shown time before a moment, counted from 1970. */
  shownAt(ms: number): number {
    let hidden = 0;
    for (const { from, to } of this.gaps) {
      if (from >= ms) break;
      hidden += Math.min(to, ms) - from;
    }
    return ms - hidden;
  }

  /** The moment with this much shown time before it. At a gap, its end or its beginning. */
  momentOf(shown: number, side: "begin" | "end"): number {
    let ms = shown;
    for (const { from, to } of this.gaps) {
      if (side === "begin" ? from > ms : from >= ms) break;
      ms += to - from;
    }
    return ms;
  }
}

/** Maps the moments of a view to positions: linear except for hidden gaps. */
export class TimeScale {
  readonly view: Range;
  readonly width: number;
  readonly time: ShownTime;
  /** Hidden gaps in the view, drawn as marks. */
  readonly gaps: readonly Range[];
  readonly #gapWidth: number;
  readonly #shownFrom: number;
  readonly #perMs: number;

  constructor(view: Range, width: number, time: ShownTime) {
    this.view = view;
    this.width = width;
    this.time = time;
    this.gaps = time.gaps.filter(({ from, to }) => from > view.from && to < view.to);
    this.#gapWidth = this.gaps.length === 0 ? 0 : Math.min(GAP_WIDTH_MAX, (width * GAPS_SHARE_MAX) / this.gaps.length);
    this.#shownFrom = time.shownAt(view.from);
    const shown = Math.max(1, time.shownAt(view.to) - this.#shownFrom);
    this.#perMs = (width - this.#gapWidth * this.gaps.length) / shown;
  }

  /** Position of a moment in px, beyond the edges for moments outside the view. */
  xOf(ms: number): number {
    let x = (this.time.shownAt(ms) - this.#shownFrom) * this.#perMs;
    for (const { from, to } of this.gaps) {
      if (ms <= from) break;
      x += this.#gapWidth * Math.min(1, (ms - from) / (to - from));
    }
    return x;
  }

  /** Moment at a position; inside the mark of a gap, a moment of the gap. */
  msAt(x: number): number {
    let left = 0;
    for (const { from, to } of this.gaps) {
      const begin = this.xOf(from);
      if (x < begin) break;
      if (x < begin + this.#gapWidth) return from + ((x - begin) / this.#gapWidth) * (to - from);
      left += this.#gapWidth;
    }
    return this.time.momentOf(this.#shownFrom + (x - left) / this.#perMs, "begin");
  }
}

/** The view scaled by `times` (below 1: closer), with the moment `fixed` staying in place, inside `whole`. */
export function zoomed(view: Range, fixed: number, times: number, whole: Range, time: ShownTime): Range {
  const [from, to, anchor] = [time.shownAt(view.from), time.shownAt(view.to), time.shownAt(fixed)];
  const length = Math.max(VIEW_MS_MIN, (to - from) * times);
  const share = to > from ? Math.min(1, Math.max(0, (anchor - from) / (to - from))) : 0.5;
  return within(anchor - share * length, length, whole, time);
}

/** The view moved by a share of its width, to the right if positive, within `whole`. */
export function panned(view: Range, share: number, whole: Range, time: ShownTime): Range {
  const [from, to] = [time.shownAt(view.from), time.shownAt(view.to)];
  return within(from + (to - from) * share, to - from, whole, time);
}

/** The view centered on a moment, as far as `whole` permits. */
export function centered(view: Range, ms: number, whole: Range, time: ShownTime): Range {
  const length = time.shownAt(view.to) - time.shownAt(view.from);
  return within(time.shownAt(ms) - length / 2, length, whole, time);
}

/** A view that is long enough to show and within `whole`, as close to the wanted one as possible. */
export function allowed(view: Range, whole: Range, time: ShownTime): Range {
  const length = time.shownAt(view.to) - time.shownAt(view.from);
  return within(time.shownAt(view.from), Math.max(VIEW_MS_MIN, length), whole, time);
}

function within(from: number, length: number, whole: Range, time: ShownTime): Range {
  const [first, last] = [time.shownAt(whole.from), time.shownAt(whole.to)];
  if (length >= last - first) return whole;
  const begin = Math.min(Math.max(from, first), last - length);
  return { from: time.momentOf(begin, "begin"), to: time.momentOf(begin + length, "end") };
}

/** Whether a view shows everything. */
export function isWhole(view: Range, whole: Range): boolean {
  return view.from <= whole.from && view.to >= whole.to;
}
