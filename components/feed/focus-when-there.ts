/** Time to wait for an item that is to be focused, in ms. */
const FOCUS_MS = 2000;

/** Focuses an item as soon as it is rendered. */
export class FocusWhenThere {
  #frame = 0;

  /**
   * `focused` has the focus now. The returned function moves it to the item at a place in the list; null cancels an earlier
   * request. Nothing is focused once the list is gone.
   */
  from(focused: Element | null, list: () => Element | null): (place: number | null) => void {
    return (place) => {
      cancelAnimationFrame(this.#frame);
      if (place !== null) this.#wait(place, performance.now() + FOCUS_MS, focused, list);
    };
  }

  #wait(place: number, untilMs: number, focused: Element | null, list: () => Element | null): void {
    this.#frame = requestAnimationFrame(() => {
      const [active, root] = [document.activeElement, list()];
      // The focus has moved elsewhere. (The list takes it when the focused item is removed.)
      if (root === null || (active !== focused && active !== document.body && active !== root)) return;
      const item = root.querySelector<HTMLElement>(`[data-index="${place}"][tabindex]`);
      if (item !== null) item.focus({ preventScroll: true });
      else if (performance.now() < untilMs) this.#wait(place, untilMs, focused, list);
    });
  }
}
