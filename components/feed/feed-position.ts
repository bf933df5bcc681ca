import type { FeedRange } from "./feed-range.ts";
import { HeightMap } from "./height-map.ts";
import type { Extent } from "./scroll-mapping.ts";
import { jumpViewports, physicalHeight, physicalMax, physicalOf, virtualMax, virtualOf } from "./scroll-mapping.ts";

/** Alignment of an item in the viewport; `nearest` moves as little as possible to show it. */
export type Align = "start" | "center" | "end" | "nearest";

/**
 * The part that stays in place while heights change: the end of the list, the target of a jump, or the item being read. `pressed`
 * is the item being read until a reader who follows the end lets go of what they press.
 */
type Hold =
  | { kind: "reading" }
  | { kind: "end" }
  | { kind: "pressed" }
  | { kind: "item"; index: number; align: Exclude<Align, "nearest">; within: number | null };

type Anchor = { kind: "top" } | { kind: "footer"; delta: number } | { kind: "item"; index: number; delta: number };

/** The end counts as reached this many px before it, because browsers round scrollTop. */
const endTolerance = 2;

/**
 * The position of a reader in a list of any length, without a DOM.
 *
 * Virtual px count from the top of the header through all items to the bottom of the footer. The browser scrolls an element
 * of at most 8 million px; `offset` is the difference between the two. Content at virtual y stands at physical y - offset.
 * A change of heights changes the offset and never the scrollTop, so nothing that is being read moves.
 */
export class FeedPosition {
  readonly heights: HeightMap;
  /** Whether a reader at the end stays at the end when the list grows. */
  follow = true;
  #headerHeight = 0;
  #footerHeight = 0;
  #viewport: number;
  #top = 0;
  #scrollTop = 0;
  #hold: Hold = { kind: "reading" };

  constructor(count: number, estimate: (index: number) => number, viewport: number) {
    this.heights = new HeightMap(count, estimate);
    this.#viewport = viewport;
  }

  /** The virtual px above the viewport. */
  get top(): number {
    return this.#top;
  }

  /** The scrollTop that the element should have. */
  get scrollTop(): number {
    return this.#scrollTop;
  }

  /** Virtual minus physical px. */
  get offset(): number {
    return this.#top - this.#scrollTop;
  }

  /** The height of the scrolled element, in px. */
  get physicalHeight(): number {
    return physicalHeight(this.#extent);
  }

  get viewport(): number {
    return this.#viewport;
  }

  /** Whether the end of the list is in view. */
  get isAtEnd(): boolean {
    return this.#top >= virtualMax(this.#extent) - endTolerance;
  }

  /** The item that is held in view: the target of a jump, or the last one while following the end; otherwise null. */
  get target(): number | null {
    if (this.heights.count === 0) return null;
    if (this.#hold.kind === "item") return this.#hold.index;
    return this.#hold.kind === "end" ? this.heights.count - 1 : null;
  }

  /** Distance of the scrollbar's thumb from its correct position, in px. */
  get drift(): number {
    return Math.abs(physicalOf(this.#top, this.#extent) - this.#scrollTop);
  }

  /** The items within the viewport, enlarged by `overscan` px on both sides. */
  range(overscan: number): FeedRange {
    if (this.heights.count === 0) return { first: 0, last: -1 };
    const above = this.#top - this.#headerHeight;
    const below = Math.max(0, above + this.#viewport + overscan);
    return { first: this.heights.indexAt(Math.max(0, above - overscan)), last: this.heights.indexAt(below) };
  }

  /** Physical top, in px, of rendered content that begins with item `first`. The header is rendered before item 0. */
  physicalTopOf(first: number): number {
    return (first <= 0 ? 0 : this.#itemTop(first)) - this.offset;
  }

  /** The reader has scrolled the element to `scrollTop`. Small steps move 1:1, jumps in proportion. */
  scrolled(scrollTop: number): void {
    const reached = Math.min(Math.max(0, scrollTop), physicalMax(this.#extent));
    const delta = reached - this.#scrollTop;
    if (delta === 0) return;
    this.#scrollTop = reached;
    const isJump = Math.abs(delta) >= jumpViewports * this.#viewport;
    this.#moveTo(isJump ? virtualOf(reached, this.#extent) : this.#top + delta);
    this.#hold = this.#holdHere();
    // The physical and the virtual end must be reached together, or the reader could not reach the end (or could scroll past it).
    const isNearEdge =
      Math.min(reached, this.#top) < this.#viewport ||
      Math.min(physicalMax(this.#extent) - reached, virtualMax(this.#extent) - this.#top) < this.#viewport;
    if (isNearEdge && this.drift >= 1) this.syncThumb();
  }

  /** Takes the scrollTop that the browser has really set (it rounds and clamps). Nothing in view moves. */
  corrected(scrollTop: number): void {
    this.#scrollTop = scrollTop;
  }

  /** Corrects the thumb. Nothing in view moves. */
  syncThumb(): void {
    this.#scrollTop = physicalOf(this.#top, this.#extent);
  }

  /**
   * Brings an item into view and holds it there while heights become known, until the reader scrolls. `within` aligns the point
   * this many px below the top of the item instead.
   */
  scrollToIndex(index: number, align: Align, within: number | null = null): void {
    if (this.heights.count === 0) return;
    const target = Math.min(Math.max(0, index), this.heights.count - 1);
    const nearest = align === "nearest" ? this.#nearestAlign(target) : align;
    if (nearest === null) return;
    this.#hold = { kind: "item", index: target, align: nearest, within };
    this.#applyHold();
  }

  /** Goes to the end, and stays there while the list grows if {@link follow} is set. */
  scrollToEnd(): void {
    this.#hold = { kind: "end" };
    this.#applyHold();
  }

  /** Goes to the very top, above the header. */
  scrollToStart(): void {
    this.#hold = { kind: "reading" };
    this.#moveTo(0);
    this.syncThumb();
  }

  /** The reader has touched the list: the target of a jump is no longer held in place. */
  release(): void {
    if (this.#hold.kind === "item") this.#hold = { kind: "reading" };
  }

  /** The reader presses something in the list, which must not move before they let go: it would not be clicked. */
  press(): void {
    if (this.#hold.kind === "end" || this.#holdHere().kind === "end") this.#hold = { kind: "pressed" };
  }

  /** The reader has let go of what they pressed: the end is followed again unless they have scrolled or opened an item. */
  letGo(): void {
    if (this.#hold.kind === "pressed") this.scrollToEnd();
  }

  /** The reader opens or closes an item: it stays in place even if the end was being followed. */
  releaseEnd(): void {
    this.#hold = { kind: "reading" };
  }

  /**
   * Changes heights or sizes and keeps in place the end if it is followed, the target of a jump, or else the first visible item
   * whose height was known before.
   */
  change(sizes: { header?: number; footer?: number; viewport?: number }, mutate?: (heights: HeightMap) => void): void {
    if ((sizes.footer ?? 0) > this.#footerHeight) this.#followFromHere();
    const anchor = this.#anchor();
    if (sizes.header !== undefined) this.#headerHeight = sizes.header;
    if (sizes.footer !== undefined) this.#footerHeight = sizes.footer;
    if (sizes.viewport !== undefined) this.#viewport = sizes.viewport;
    mutate?.(this.heights);
    if (this.#hold.kind === "end" || this.#hold.kind === "item") {
      this.#applyHold();
      return;
    }
    this.#moveTo(this.#topFrom(anchor));
    // The browser clamps scrollTop to the new height. Doing the same here keeps its event from looking like scrolling by the
    // reader.
    this.#scrollTop = Math.min(this.#scrollTop, physicalMax(this.#extent));
  }

  /** Sets the number of items. A reader at the end of the list stays at the end; for others nothing moves. */
  resize(count: number): void {
    if (count > this.heights.count) this.#followFromHere();
    this.change({}, (heights) => heights.resize(count));
  }

  /** Call it after the reader has opened or closed an item: the end is followed again if it is in view. */
  settle(): void {
    if (this.#hold.kind === "reading") this.#hold = this.#holdHere();
  }

  get #extent(): Extent {
    const virtualHeight = this.#headerHeight + this.heights.total + this.#footerHeight;
    return { virtualHeight, viewport: this.#viewport };
  }

  #itemTop(index: number): number {
    return this.#headerHeight + this.heights.offsetOf(index);
  }

  #holdHere(): Hold {
    return this.follow && this.isAtEnd ? { kind: "end" } : { kind: "reading" };
  }

  /** Follows the end if it is in view, as in a list shorter than its viewport, which nobody has to scroll. */
  #followFromHere(): void {
    if (this.#hold.kind === "reading") this.#hold = this.#holdHere();
  }

  #moveTo(top: number): void {
    this.#top = Math.min(Math.max(0, top), virtualMax(this.#extent));
  }

  #applyHold(): void {
    const hold = this.#hold;
    if (hold.kind === "end") this.#moveTo(virtualMax(this.#extent));
    if (hold.kind === "item") this.#moveTo(this.#alignedTop(hold.index, hold.align, hold.within));
    if (hold.kind === "end" && !this.follow) this.#hold = { kind: "reading" };
    this.syncThumb();
  }

  #alignedTop(index: number, align: Exclude<Align, "nearest">, within: number | null): number {
    if (within !== null) {
      const above = align === "start" ? 0 : this.#viewport * (align === "center" ? 0.5 : 1);
      return this.#itemTop(index) + within - above;
    }
    const room = this.#viewport - this.heights.heightOf(index);
    // An item taller than the viewport is aligned at its top, so that its first lines are in view.
    const above = align === "start" || room < 0 ? 0 : align === "center" ? room / 2 : room;
    return this.#itemTop(index) - above;
  }

  #nearestAlign(index: number): "start" | "end" | null {
    const itemTop = this.#itemTop(index);
    if (itemTop < this.#top) return "start";
    return itemTop + this.heights.heightOf(index) > this.#top + this.#viewport ? "end" : null;
  }

  #anchor(): Anchor {
    if (this.heights.count === 0 || this.#top < this.#headerHeight || this.#top === 0) return { kind: "top" };
    const below = this.#top - this.#headerHeight - this.heights.total;
    if (below >= 0) return { kind: "footer", delta: below };
    const { first, last } = this.range(0);
    let index = first;
    while (index < last && !this.heights.isMeasured(index)) index += 1;
    if (!this.heights.isMeasured(index)) index = first;
    return { kind: "item", index, delta: this.#top - this.#itemTop(index) };
  }

  #topFrom(anchor: Anchor): number {
    if (anchor.kind === "top") return this.#top;
    if (anchor.kind === "footer") return this.#headerHeight + this.heights.total + anchor.delta;
    // If a tall item was closed while its lower part was in view, its top is shown rather than what follows it.
    const isGone = anchor.delta >= this.heights.heightOf(anchor.index);
    return this.#itemTop(anchor.index) + (isGone ? 0 : anchor.delta);
  }
}
