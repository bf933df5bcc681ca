import { type FeedItems, isIn } from "./feed-range.ts";

/**
 * Places items that are on the page only because the selection begins or ends there: out of the flow, where they are in the list.
 * Without them, the browser would move that end of the selection to what is left.
 */
export class HeldItems {
  readonly #away = new Set<HTMLElement>();

  /** `topOf` gives an item's distance from the first shown one, in px. */
  update(
    elements: ReadonlyMap<Element, number>,
    shown: FeedItems,
    scroller: HTMLElement,
    topOf: (index: number) => number,
  ): void {
    for (const [element, index] of elements) {
      if (!(element instanceof HTMLElement)) continue;
      if (!isHeld(shown, index)) {
        if (this.#away.delete(element)) Object.assign(element.style, { position: "", insetInline: "", top: "" });
        continue;
      }
      if (!this.#away.has(element)) {
        this.#away.add(element);
        Object.assign(element.style, { position: "absolute", insetInline: "0" });
        if (element.contains(document.activeElement)) scroller.focus({ preventScroll: true });
      }
      element.style.top = `${topOf(index)}px`;
    }
    for (const element of this.#away) if (!elements.has(element)) this.#away.delete(element);
  }
}

function isHeld(shown: FeedItems, index: number): boolean {
  return !isIn(shown, index) && (shown.left === null || !isIn(shown.left, index));
}
