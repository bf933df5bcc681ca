import { type FeedItems, type FeedRange, isIn, isSame } from "./feed-range.ts";

/** Hides the items that the reader has left: removing them at once would delay the first paint of the new ones. */
export class OutgoingItems {
  readonly #hidden = new Set<HTMLElement>();

  /** Hides the elements of items that were left, and shows those hidden before. */
  update(elements: ReadonlyMap<Element, number>, shown: FeedItems, scroller: HTMLElement | undefined): void {
    for (const element of this.#hidden) element.style.display = "";
    this.#hidden.clear();
    for (const [element, index] of elements) this.add(element, index, shown, scroller);
  }

  /** Called with each element that is added to the page. */
  add(element: Element, index: number, shown: FeedItems, scroller: HTMLElement | undefined): void {
    if (shown.left !== null && isIn(shown.left, index) && !isIn(shown, index)) this.#hide(element, scroller);
  }

  /** Called with each element that is removed. */
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

/** The items to hide when first..last are shown. `shown` is on the page, `wanted` was requested last. */
export function outgoingFor({ first, last }: FeedRange, shown: FeedItems, wanted: FeedItems): FeedRange | null {
  const isTouching = shown.last < shown.first || (shown.last >= first && shown.first <= last);
  if (isTouching) return shown.left;
  return isSame(wanted, { first, last }) ? wanted.left : { first: shown.first, last: shown.last };
}
