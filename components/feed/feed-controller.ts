// One class of 400 lines: measuring, scrolling and rendering change the same few fields within a frame, and would be unreadable
// if split.
import { afterPaint } from "./after-paint.ts";
import { FeedGestures } from "./feed-gestures.ts";
import type { FeedPosition } from "./feed-position.ts";
import { type FeedItems, type FeedRange, isIn, isSame } from "./feed-range.ts";
import { HeightSample } from "./height-sample.ts";
import type { HeldItems } from "./held-items.ts";
import { MountTurns } from "./mount-turns.ts";
import { OutgoingItems, outgoingFor } from "./outgoing-items.ts";

/** Callbacks of the controller to its component. */
export type FeedListener = {
  /** Renders these items. With `now` it commits before it returns, so that the next frame shows them. */
  onItems: (items: FeedItems, now: boolean) => void;
  /** The end of the list came into view or went out of it. */
  onAtEnd: (isAtEnd: boolean) => void;
};

/** Parts of a list: the number of its items, and whether it has a header and a footer. */
export type FeedParts = { count: number; hasHeader: boolean; hasFooter: boolean };

type Slot = "header" | "footer";
type Parts = { scroller: HTMLElement; sizer: HTMLElement; content: HTMLElement };

const idleMs = 150;
/** Jumps less than this many ms apart count as one movement, like dragging: each shows its whole view at once. */
export const jumpsMs = 150;
/** Maximum number of render and measure passes in one frame; the next frame does the rest. */
const passesMax = 8;

/** Connects a FeedPosition to the elements on the page: observes sizes, handles scroll events, writes positions. */
export class FeedController {
  readonly position: FeedPosition;
  readonly turns: MountTurns;
  overscan: number;
  /** Places the items that the selection holds; null before its script is loaded. */
  held: HeldItems | null = null;
  #listener: FeedListener | null = null;
  #parts: Parts | null = null;
  #observer: ResizeObserver | null = null;
  readonly #items = new Map<Element, number>();
  readonly #slots = new Map<Element, Slot>();
  #rendered: FeedItems;
  #wanted: FeedItems;
  readonly #left = new OutgoingItems();
  /** The scrollTop last read from or written to the element. A scroll event with this value is our own. */
  #knownScrollTop = 0;
  #width = 0;
  #isAtEnd: boolean | null = null;
  #wasHidden = false;
  #passes = 0;
  #frame = 0;
  #isLean = false;
  /** The state of a jump: its target is being rendered, or has been rendered and is about to be painted. */
  #jump: "rendering" | "painting" | null = null;
  #jumpedAt = Number.NEGATIVE_INFINITY;
  #stopWidening = () => {};
  #idleTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #sample = new HeightSample();
  readonly #gestures = new FeedGestures({
    isItem: (element) => this.#items.has(element),
    onHome: () => this.move((position) => position.scrollToStart(), true),
    onEnd: () => this.move((position) => position.scrollToEnd(), true),
    onPress: () => this.position.press(),
    onLetGo: () => this.move((position) => position.letGo(), false),
  });

  constructor(position: FeedPosition, overscan: number) {
    this.position = position;
    this.turns = new MountTurns(() => position.range(0));
    this.overscan = overscan;
    this.#rendered = { ...position.range(overscan), left: null };
    this.#wanted = this.#rendered;
  }

  /** Attaches to the list's elements. Returns a function that detaches. */
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
    this.#takeEarlyScroll(scroller);
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

  /**
   * What the reader scrolled to before any script had run stays in view: the server draws its first item at the top. Those who
   * scrolled to the end follow it.
   */
  #takeEarlyScroll(scroller: HTMLElement): void {
    const { scrollTop } = scroller;
    const { first } = this.#rendered;
    if (this.#knownScrollTop !== 0 || scrollTop === 0 || first <= 0) return;
    this.#knownScrollTop = scrollTop;
    const end = this.position.heights.count - 1;
    const last = [...this.#items].find(([, index]) => index === end)?.[0];
    const isAtEnd = last !== undefined && bottomOf(last) <= bottomOf(scroller) + 1;
    if (isAtEnd) this.position.scrollToEnd();
    else this.position.scrollToIndex(first, "start", scrollTop);
  }

  /** Observes the element of one item. Returns a function that stops this. */
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

  /** Observes the header or the footer, whose last height counts while it is not rendered. Returns a function that stops this. */
  observeSlot(element: Element, slot: Slot): () => void {
    this.#slots.set(element, slot);
    this.#observer?.observe(element);
    return () => {
      this.#slots.delete(element);
      this.#observer?.unobserve(element);
    };
  }

  /** The item that contains the node, or null. */
  indexOf(node: Node | null): number | null {
    for (let around = node; around !== null; around = around.parentNode) {
      const index = around instanceof Element ? this.#items.get(around) : undefined;
      if (index !== undefined) return index;
    }
    return null;
  }

  /** Call it when these items have been committed to the page, before the paint. */
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

  /** Changes the position and shows the result before it returns. */
  move(act: (position: FeedPosition) => void, now: boolean): void {
    this.#takeScroll();
    act(this.position);
    this.#passes = 0;
    this.#place();
    this.#updateRange(now);
  }

  /**
   * Jumps to another place. Renders the target first, the rest of the view once the target has been painted, and the overscan
   * after that.
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
   * Takes the list's new parts. Call it before {@link committed}, in the same commit. A reader who follows the end sees the new
   * end first, as after a jump.
   */
  changed({ count, hasHeader, hasFooter }: FeedParts): void {
    const { position } = this;
    // Before the count changes: a commit that makes the viewport taller makes the browser scroll back from the old end. Compared
    // with the new end, that would look like scrolling by the reader.
    this.#takeScroll();
    if (!hasHeader) position.change({ header: 0 });
    if (!hasFooter) position.change({ footer: 0 });
    if (position.heights.count === count) return;
    if (position.follow && position.isAtEnd) this.#lean();
    position.resize(count);
  }

  /** Until the next frame has been painted, renders new items only in view. */
  #lean(): void {
    this.#isLean = true;
    this.#widenLater();
  }

  /** Calls {@link #widen} after the next paint. */
  #widenLater(): void {
    this.#stopWidening();
    this.#stopWidening = afterPaint(() => this.#widen());
  }

  /** Renders what is missing in the view, and the overscan once that has been painted. */
  #widen(): void {
    const { first, last } = this.position.range(0);
    this.#isLean = last >= first && (!isIn(this.#rendered, first) || !isIn(this.#rendered, last));
    this.#jump = null;
    this.#passes = 0;
    if (this.#isLean) this.#widenLater();
    this.#updateRange(this.#isLean);
  }

  /** In a hidden panel every size is zero and says nothing. */
  #isHidden(): boolean {
    if (this.#parts?.scroller.clientHeight !== 0) return false;
    this.#wasHidden = true;
    return true;
  }

  #onScroll(): void {
    // Part of the scrolling may have been read before its event, but not yet rendered.
    this.#takeScroll();
    // A jump scrolls by itself; the next frame renders the rest of its view.
    if (this.#jump !== "painting") this.move(() => {}, true);
    this.#syncWhenIdle();
  }

  /** Reads where the reader has scrolled to, which the element knows before its event arrives. */
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
    // If the viewport grows at the end of the list, the browser scrolls back. That is not scrolling by the reader.
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

  /** Measures new items at once: the observer would be a frame late. */
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

  /**
   * Estimates unmeasured heights from the items in view, but only if all of them are shown: placeholders stand for large items.
   */
  #sampleView(): void {
    const { heights } = this.position;
    const items = [...this.#items];
    if (this.turns.isScrolling || items.some(([element]) => isPlaceholder(element))) return;
    for (const [, index] of items) if (heights.isMeasured(index)) this.#sample.add(index, heights.heightOf(index));
    const estimate = this.#sample.takeBetter();
    if (estimate !== null) this.position.change({}, (map) => map.estimateAt(estimate));
  }

  /** Gives a placeholder the item's estimated height. */
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
    const top = position.physicalTopOf(this.#rendered.first);
    content.style.top = `${top}px`;
    this.held?.update(this.#items, this.#rendered, scroller, (index) => position.physicalTopOf(index) - top);
    if (position.drift >= 1 && this.#idleTimer === undefined) this.#syncWhenIdle();
    if (position.isAtEnd !== this.#isAtEnd) {
      this.#isAtEnd = position.isAtEnd;
      this.#listener?.onAtEnd(position.isAtEnd);
    }
  }

  #updateRange(now: boolean): void {
    const range = this.#rangeToRender();
    const items = { ...range, left: this.#isLean ? outgoingFor(range, this.#rendered, this.#wanted) : null };
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
    // Items already on the page cost nothing if they touch the view.
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
      // Even if the thumb is right: a new estimate changes the height of the whole list.
      this.#place();
    }, idleMs);
  }
}

function bottomOf(element: Element): number {
  return element.getBoundingClientRect().bottom;
}

/** Whether the element stands for an item that is still loading and so has no height of its own. */
function isPlaceholder(element: Element): element is HTMLElement {
  return element instanceof HTMLElement && element.dataset.placeholder !== undefined;
}
