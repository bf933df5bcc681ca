import { flushSync } from "react-dom";
import type { FeedRange } from "./feed-range.ts";

/** The reader counts as scrolling for this long after the last scroll event. */
const scrollsMs = 100;
/** Nobody reads at more than this speed, some six screens a second. */
const fastPxPerMs = 6;
/** Time per frame for mounting items: while the reader scrolls, and once the list stands still. */
const scrollingBudgetMs = 3;
const restingBudgetMs = 9;

type Waiting = {
  index: number;
  show: () => void;
  /** Added in this frame, which has done its work already. */
  isNew: boolean;
};

/**
 * Mounts as many waiting items per frame as fit its time budget, and none during fast scrolling, so that the list does not stutter.
 * A placeholder stands for a waiting item. Items in the middle of the view come first.
 */
export class MountTurns {
  readonly #visible: () => FeedRange;
  readonly #waiting = new Set<Waiting>();
  #scrolledAt = Number.NEGATIVE_INFINITY;
  #pxPerMs = 0;
  #frame = 0;

  /** `visible` gives the items in view. */
  constructor(visible: () => FeedRange) {
    this.#visible = visible;
  }

  /** Whether items mounted now have to wait. */
  get isScrolling(): boolean {
    return performance.now() - this.#scrolledAt < scrollsMs;
  }

  /** Call it with each distance that the reader scrolls, in px. */
  scrolled(px: number): void {
    const now = performance.now();
    const pxPerMs = Math.abs(px) / Math.max(1, now - this.#scrolledAt);
    // The first step of a movement says nothing about its speed, and the length of single frames varies.
    this.#pxPerMs = this.isScrolling ? (this.#pxPerMs + pxPerMs) / 2 : 0;
    this.#scrolledAt = now;
  }

  /** The reader has jumped: items there do not wait. */
  release(): void {
    this.#scrolledAt = Number.NEGATIVE_INFINITY;
  }

  /** Calls `show` when it is the item's turn; `show` commits before it returns. The result cancels that. */
  wait(index: number, show: () => void): () => void {
    const waiting = { index, show, isNew: true };
    this.#waiting.add(waiting);
    this.#fillNextFrame();
    return () => {
      this.#waiting.delete(waiting);
    };
  }

  #fillNextFrame(): void {
    if (this.#frame !== 0 || this.#waiting.size === 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#fill();
      for (const waiting of this.#waiting) waiting.isNew = false;
      this.#fillNextFrame();
    });
  }

  #fill(): void {
    const { isScrolling } = this;
    if (isScrolling && this.#pxPerMs > fastPxPerMs) return;
    const until = performance.now() + (isScrolling ? scrollingBudgetMs : restingBudgetMs);
    for (const waiting of this.#inOrder()) {
      this.#waiting.delete(waiting);
      flushSync(waiting.show);
      if (performance.now() >= until) return;
    }
  }

  /** Items that may be mounted, nearest to the middle of the view first. */
  #inOrder(): Waiting[] {
    const { first, last } = this.#visible();
    const middle = (first + last) / 2;
    const away = ({ index }: Waiting) => Math.abs(index - middle);
    return [...this.#waiting].filter(({ isNew }) => !isNew).sort((one, other) => away(one) - away(other));
  }
}
