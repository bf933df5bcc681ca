// One class of 370 lines: measuring, scrolling and rendering change the same few fields in the order of a frame, and apart they could not be read.
import { afterPaint } from "./after-paint.ts";
import { FeedGestures } from "./feed-gestures.ts";
import type { FeedPosition } from "./feed-position.ts";
import { type FeedRange, isIn, isSame } from "./feed-range.ts";
import { HeightSample } from "./height-sample.ts";
import { type FeedItems, LeftItems, leftFor } from "./left-items.ts";
import { MountTurns } from "./mount-turns.ts";

/** What a feed's controller tells its component. */
export type FeedListener = {
  /** Other items must be rendered. With `now` the caller commits before it returns, so that the next frame shows them. */
  onItems: (items: FeedItems, now: boolean) => void;
  /** The end of the list came into view or went out of it. */
  onAtEnd: (isAtEnd: boolean) => void;
};

/** What a list is made of: so many items, between a header and a footer. */
export type FeedParts = { count: number; hasHeader: boolean; hasFooter: boolean };

type Slot = "header" | "footer";
type Parts = { scroller: HTMLElement; sizer: HTMLElement; content: HTMLElement };

const idleMs = 150;
/** Jumps that follow each other this closely are one movement, as of a hand that drags: it sees whole views pass. */
export const jumpsMs = 150;
/** Passes of render and measure within one frame, before the rest is left to the next one. */
const passesMax = 8;

/** Joins a FeedPosition to the elements on the page: observes sizes, follows scroll events, writes positions. */
export class FeedController {
  readonly position: FeedPosition;
  readonly turns: MountTurns;
  overscan: number;
  #listener: FeedListener | null = null;
  #parts: Parts | null = null;
  #observer: ResizeObserver | null = null;
  readonly #items = new Map<Element, number>();
  readonly #slots = new Map<Element, Slot>();
  #rendered: FeedItems;
  #wanted: FeedItems;
  readonly #left = new LeftItems();
  /** The scrollTop last read from or written to the element: an event that brings this value is our own. */
  #knownScrollTop = 0;
  #width = 0;
  #isAtEnd: boolean | null = null;
  #wasHidden = false;
  #passes = 0;
  #frame = 0;
  #isLean = false;
  /** Since a jump: nothing has been rendered there yet, or what has been is on its way to the screen. */
  #jump: "rendering" | "painting" | null = null;
  #jumpedAt = Number.NEGATIVE_INFINITY;
  #stopWidening = () => {};
  #idleTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #sample = new HeightSample();
  readonly #gestures = new FeedGestures({
    isItem: (element) => this.#items.has(element),
    onHome: () => this.move((position) => position.scrollToStart(), true),
    onEnd: () => this.move((position) => position.scrollToEnd(), true),
  });

  constructor(position: FeedPosition, overscan: number) {
    this.position = position;
    this.turns = new MountTurns(() => position.range(0));
    this.overscan = overscan;
    this.#rendered = { ...position.range(overscan), left: null };
    this.#wanted = this.#rendered;
  }

  /** Starts to work on these elements; returns how to stop. */
  connect(parts: Parts, listener: FeedListener): () => void {
    const { scroller } = parts;
    this.#parts = parts;
    this.#listener = listener;
    this.#observer = new ResizeObserver((entries) => this.#onResize(entries));
    for (const element of [scroller, ...this.#items.keys(), ...this.#slots.keys()]) this.#observer.observe(element);
    const stopListening = new AbortController();
    const options = { signal: stopListening.signal, passive: true };
    scroller.addEventListener("scroll", () => this.#onScroll(), options);
    for (const type of ["wheel", "pointerdown", "keydown"] as const) {
      scroller.addEventListener(type, () => this.position.release(), options);
    }
    this.#gestures.listen(scroller, stopListening.signal);
    this.#width = scroller.clientWidth;
    if (scroller.clientHeight > 0) this.position.change({ viewport: scroller.clientHeight });
    return () => {
      stopListening.abort();
      this.#observer?.disconnect();
      this.#observer = null;
      this.#parts = null;
      this.#listener = null;
      clearTimeout(this.#idleTimer);
      this.#idleTimer = undefined;
      cancelAnimationFrame(this.#frame);
      this.#stopWidening();
      this.#frame = 0;
      this.#isLean = false;
      this.#jump = null;
    };
  }

  /** Watches the element of one item; returns how to stop. */
  observeItem(element: Element, index: number): () => void {
    this.#items.set(element, index);
    if (isPlaceholder(element)) this.#fit(element, index);
    else this.#observer?.observe(element);
    this.#left.add(element, index, this.#rendered, this.#parts?.scroller);
    return () => {
      this.#items.delete(element);
      this.#left.delete(element);
      this.#observer?.unobserve(element);
    };
  }

  /** Watches the header or the footer; returns how to stop. While it is not rendered its last height counts. */
  observeSlot(element: Element, slot: Slot): () => void {
    this.#slots.set(element, slot);
    this.#observer?.observe(element);
    return () => {
      this.#slots.delete(element);
      this.#observer?.unobserve(element);
    };
  }

  /** To be called when a commit has put these items on the page, before it is painted. */
  committed(items: FeedItems): void {
    this.#rendered = items;
    this.#left.update(this.#items, items, this.#parts?.scroller);
    this.#gestures.keepFocus(this.#parts?.scroller ?? null);
    this.#takeScroll();
    this.#measureNew();
    this.#place();
    this.#passes += 1;
    if (this.#jump === "rendering") {
      this.#jump = "painting";
      this.#widenLater();
    } else if (this.#passes <= passesMax) this.#updateRange(false);
    else this.#updateRangeNextFrame();
  }

  /** Does something with the position, and shows the result before it returns. */
  move(act: (position: FeedPosition) => void, now: boolean): void {
    this.#takeScroll();
    act(this.position);
    this.#passes = 0;
    this.#place();
    this.#updateRange(now);
  }

  /**
   * Goes elsewhere. The item that was asked for is rendered first, the rest of the view once that has been painted, and what
   * surrounds it after that.
   */
  jump(act: (position: FeedPosition) => void): void {
    const now = performance.now();
    this.#jump = now - this.#jumpedAt > jumpsMs ? "rendering" : null;
    this.#jumpedAt = now;
    this.#lean();
    this.turns.release();
    this.move(act, false);
  }

  /**
   * What the list is made of now; to be called before {@link committed}, in the same commit. Who is kept at the end of the list is
   * shown the new end first, as after a jump.
   */
  changed({ count, hasHeader, hasFooter }: FeedParts): void {
    const { position } = this;
    // First, by what was there until now: a commit that makes the view higher lets the browser step back from the old end, and
    // measured by the new one that would be a step of the reader's.
    this.#takeScroll();
    if (!hasHeader) position.change({ header: 0 });
    if (!hasFooter) position.change({ footer: 0 });
    if (position.heights.count === count) return;
    if (position.follow && position.isAtEnd) this.#lean();
    position.resize(count);
  }

  /** Until the next frame has been painted only what is in view is rendered anew. */
  #lean(): void {
    this.#isLean = true;
    this.#widenLater();
  }

  /** Once what has been rendered until now is painted. */
  #widenLater(): void {
    this.#stopWidening();
    this.#stopWidening = afterPaint(() => this.#widen());
  }

  /** Fills the view where something is missing in it, and what surrounds it once that is painted. */
  #widen(): void {
    const { first, last } = this.position.range(0);
    this.#isLean = last >= first && (!isIn(this.#rendered, first) || !isIn(this.#rendered, last));
    this.#jump = null;
    this.#passes = 0;
    if (this.#isLean) this.#widenLater();
    this.#updateRange(this.#isLean);
  }

  /** Inside a hidden panel everything measures zero, and means nothing. */
  #isHidden(): boolean {
    if (this.#parts?.scroller.clientHeight !== 0) return false;
    this.#wasHidden = true;
    return true;
  }

  #onScroll(): void {
    // A part of the step may have been taken over before its event; what it asks to render is still to be done.
    this.#takeScroll();
    // The step of a jump is our own: the rest of the view comes with the next frame.
    if (this.#jump !== "painting") this.move(() => {}, true);
    this.#syncWhenIdle();
  }

  /** Takes over where the reader has scrolled to: the element knows before its event arrives. */
  #takeScroll(): boolean {
    const scroller = this.#parts?.scroller;
    if (scroller === undefined || this.#isHidden()) return false;
    const { scrollTop } = scroller;
    if (this.#wasHidden) {
      // Hidden elements lose their scrollTop, and some engines do not give it back.
      this.#wasHidden = false;
      this.#knownScrollTop = scrollTop;
    }
    if (scrollTop === this.#knownScrollTop) return false;
    this.#jump = null;
    this.turns.scrolled(scrollTop - this.#knownScrollTop);
    this.#knownScrollTop = scrollTop;
    // A viewport that grows at the end of the list is moved back by the browser: that is no step of the reader's.
    if (scroller.clientHeight !== this.position.viewport) this.position.change({ viewport: scroller.clientHeight });
    this.position.scrolled(scrollTop);
    return true;
  }

  #onResize(entries: readonly ResizeObserverEntry[]): void {
    const scroller = this.#parts?.scroller;
    if (scroller === undefined || this.#isHidden()) return;
    const sizes: { header?: number; footer?: number; viewport?: number } = {};
    const heights: [index: number, height: number][] = [];
    let isOpened = false;
    for (const { target, borderBoxSize } of entries) {
      const height = borderBoxSize[0]?.blockSize ?? 0;
      const slot = this.#slots.get(target);
      const index = this.#items.get(target);
      if (target === scroller) sizes.viewport = scroller.clientHeight;
      else if (slot !== undefined) sizes[slot] = height;
      else if (index !== undefined && height > 0) {
        heights.push([index, height]);
        isOpened ||=
          this.#gestures.isJustClicked(target) && Math.abs(this.position.heights.heightOf(index) - height) >= 1;
      }
    }
    this.#takeScroll();
    const isOtherWidth = scroller.clientWidth !== this.#width;
    this.#width = scroller.clientWidth;
    if (isOpened) this.position.releaseEnd();
    this.position.change(sizes, (map) => {
      if (isOtherWidth) map.forgetMeasured();
      for (const [index, height] of heights) map.set(index, height);
    });
    if (isOpened) this.position.settle();
    this.#place();
    this.#syncWhenIdle();
    // Items mounted during this callback would be reported too late for this frame, which browsers raise as an error.
    if (this.#jump !== "painting") this.#updateRangeNextFrame();
  }

  /** New items are measured at once: waiting for the observer would show one frame with estimates. */
  #measureNew(): void {
    const { heights } = this.position;
    const found: [index: number, height: number][] = [];
    if (this.#isHidden()) return;
    for (const [element, index] of this.#items) {
      if (heights.isMeasured(index) || isPlaceholder(element)) continue;
      const { height } = element.getBoundingClientRect();
      if (height === 0) continue;
      found.push([index, height]);
    }
    const sizes: { header?: number; footer?: number } = {};
    for (const [element, slot] of this.#slots) sizes[slot] = element.getBoundingClientRect().height;
    this.position.change(sizes, (map) => {
      for (const [index, height] of found) map.set(index, height);
    });
    this.#sampleView();
  }

  /** What is seen says how high the rest may be: only all of it does, for while it passes, large items are missing. */
  #sampleView(): void {
    const { heights } = this.position;
    const items = [...this.#items];
    if (this.turns.isScrolling || items.some(([element]) => isPlaceholder(element))) return;
    for (const [, index] of items) if (heights.isMeasured(index)) this.#sample.add(index, heights.heightOf(index));
    const estimate = this.#sample.takeBetter();
    if (estimate !== null) this.position.change({}, (map) => map.estimateAt(estimate));
  }

  /** An item that is not here takes the room that it is thought to need. */
  #fit(element: HTMLElement, index: number): void {
    element.style.height = `${this.position.heights.heightOf(index)}px`;
  }

  #place(): void {
    if (this.#parts === null || this.#isHidden()) return;
    const { position } = this;
    const { scroller, sizer, content } = this.#parts;
    const height = `${position.physicalHeight}px`;
    if (sizer.style.height !== height) sizer.style.height = height;
    if (Math.abs(position.scrollTop - this.#knownScrollTop) >= 1) {
      scroller.scrollTop = position.scrollTop;
      this.#knownScrollTop = scroller.scrollTop;
    }
    position.corrected(this.#knownScrollTop);
    content.style.top = `${position.physicalTopOf(this.#rendered.first)}px`;
    if (position.drift >= 1 && this.#idleTimer === undefined) this.#syncWhenIdle();
    if (position.isAtEnd !== this.#isAtEnd) {
      this.#isAtEnd = position.isAtEnd;
      this.#listener?.onAtEnd(position.isAtEnd);
    }
  }

  #updateRange(now: boolean): void {
    const range = this.#rangeToRender();
    const items = { ...range, left: this.#isLean ? leftFor(range, this.#rendered, this.#wanted) : null };
    if (isSame(items, this.#wanted) && items.left === this.#wanted.left) return;
    this.#wanted = items;
    this.#listener?.onItems(items, now);
  }

  #rangeToRender(): FeedRange {
    const full = this.position.range(this.overscan);
    if (!this.#isLean) return full;
    const view = this.position.range(0);
    const { first, last } = this.#rendered;
    if (last < view.first - 1 || first > view.last + 1) {
      const target = this.#jump === "rendering" ? this.position.target : null;
      return target === null ? view : { first: target, last: target };
    }
    // What is on the page already costs nothing where it touches the view.
    return {
      first: Math.max(full.first, Math.min(first, view.first)),
      last: Math.min(full.last, Math.max(last, view.last)),
    };
  }

  #updateRangeNextFrame(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#passes = 0;
      this.#updateRange(true);
    });
  }

  #syncWhenIdle(): void {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => {
      this.#idleTimer = undefined;
      if (this.#gestures.isTouched) return this.#syncWhenIdle();
      if (this.#takeScroll()) return this.#onScroll();
      this.#sampleView();
      if (this.position.drift >= 1) this.position.syncThumb();
      // Also where the thumb is right: another estimate is another height of the whole list.
      this.#place();
    }, idleMs);
  }
}

/** Marked by its component: it stands for an item that is loaded, and has no height of its own. */
function isPlaceholder(element: Element): element is HTMLElement {
  return element instanceof HTMLElement && element.dataset.placeholder !== undefined;
}
