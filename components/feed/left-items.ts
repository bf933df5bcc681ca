import { type FeedRange, isIn, isSame } from "./feed-range.ts";

/** The items first..last, and those of where the reader was, which are kept unseen until what he came for has been painted. */
export type FeedItems = FeedRange & { left: FeedRange | null };

/** Hides the items that the reader has left: to take them off the page costs more, and nobody waits for it. */
export class LeftItems {
  readonly #hidden = new Set<HTMLElement>();

  /** Hides what has been left, of all the elements on the page, and shows again what was hidden before. */
  update(elements: ReadonlyMap<Element, number>, shown: FeedItems, scroller: HTMLElement | undefined): void {
    for (const element of this.#hidden) element.style.display = "";
    this.#hidden.clear();
    if (shown.left === null) return;
    for (const [element, index] of elements) if (!isIn(shown, index)) this.#hide(element, scroller);
  }

  /** An element that has come to the page. */
  add(element: Element, index: number, shown: FeedItems, scroller: HTMLElement | undefined): void {
    if (shown.left !== null && isIn(shown.left, index) && !isIn(shown, index)) this.#hide(element, scroller);
  }

  /** An element that is taken off the page. */
  delete(element: Element): void {
    if (element instanceof HTMLElement) this.#hidden.delete(element);
  }

  #hide(element: Element, scroller: HTMLElement | undefined): void {
    if (!(element instanceof HTMLElement)) return;
    if (element.contains(document.activeElement)) scroller?.focus({ preventScroll: true });
    element.style.display = "none";
    this.#hidden.add(element);
  }
}

/** What is left by showing first..last, where `shown` is on the page and `wanted` has been asked for. */
export function leftFor({ first, last }: FeedRange, shown: FeedItems, wanted: FeedItems): FeedRange | null {
  const isTouching = shown.last < shown.first || (shown.last >= first && shown.first <= last);
  if (isTouching) return shown.left;
  return isSame(wanted, { first, last }) ? wanted.left : { first: shown.first, last: shown.last };
}
