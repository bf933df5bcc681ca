import { flushSync } from "react-dom";
import type { FeedRange } from "./feed-range.ts";

/** The reader is taken to scroll on for so long after the last step. */
const scrollsMs = 100;
/** Nobody reads what passes at more px per ms than this, some six screens a second. */
const fastPxPerMs = 6;
/** So much of a frame goes to items: while the reader scrolls, and once the list stands still. */
const scrollingBudgetMs = 3;
const restingBudgetMs = 9;

type Waiting = {
  index: number;
  show: () => void;
  /** It came in this frame, which has had its work. */
  isNew: boolean;
};

/**
 * Lets items come onto the page one after the other while the reader scrolls, and none while they fly by: more of them than a
 * frame has time for would make the list stutter. What has to wait is shown by a stand-in, and what is in view comes first.
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

  /** Whether items that come onto the page now have to wait. */
  get isScrolling(): boolean {
    return performance.now() - this.#scrolledAt < scrollsMs;
  }

  /** To be told of each step by which the reader scrolls, in px. */
  scrolled(px: number): void {
    const now = performance.now();
    const pxPerMs = Math.abs(px) / Math.max(1, now - this.#scrolledAt);
    // The first step of a movement says nothing of its speed, and single frames are short or long.
    this.#pxPerMs = this.isScrolling ? (this.#pxPerMs + pxPerMs) / 2 : 0;
    this.#scrolledAt = now;
  }

  /** The reader was taken elsewhere at once: nothing waits there. */
  release(): void {
    this.#scrolledAt = Number.NEGATIVE_INFINITY;
  }

  /** `show` is called when it is the item's turn, and commits before it returns. The result takes that back. */
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

  /** Whose turn it may be, nearest to the view first. */
  #inOrder(): Waiting[] {
    const { first, last } = this.#visible();
    const middle = (first + last) / 2;
    const away = ({ index }: Waiting) => Math.abs(index - middle);
    return [...this.#waiting].filter(({ isNew }) => !isNew).sort((one, other) => away(one) - away(other));
  }
}
