/** How long an item may take to be loaded and still get the focus that was meant for it. */
const FOCUS_MS = 2000;

/** Gives the focus to an item that may still be on its way: it takes it once it is there. */
export class FocusWhenThere {
  #frame = 0;

  /**
   * The focus is at `focused` now. The result moves it to the item at a place within the list, or with null to none that was to have
   * it. Once the list is gone nobody has it any more.
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
      // The focus has been moved elsewhere; the list itself takes it when the item that had it is gone.
      if (root === null || (active !== focused && active !== document.body && active !== root)) return;
      const item = root.querySelector<HTMLElement>(`[data-index="${place}"][tabindex]`);
      if (item !== null) item.focus({ preventScroll: true });
      else if (performance.now() < untilMs) this.#wait(place, untilMs, focused, list);
    });
  }
}
