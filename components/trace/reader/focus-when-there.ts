/** How long a card may take to be loaded and still get the focus that was meant for it. */
const FOCUS_MS = 2000;

/** Gives the focus to a card that may still be on its way: it takes it once its entry is loaded. */
export class FocusWhenThere {
  #frame = 0;

  /** The focus is at `focused` now. The result moves it to the card at a place, or with null to none that was to have it. */
  from(focused: Element | null): (place: number | null) => void {
    return (place) => {
      this.forget();
      if (place !== null) this.#wait(place, performance.now() + FOCUS_MS, focused);
    };
  }

  /** No card is to have it any more. */
  forget(): void {
    cancelAnimationFrame(this.#frame);
  }

  #wait(place: number, untilMs: number, focused: Element | null): void {
    this.#frame = requestAnimationFrame(() => {
      const active = document.activeElement;
      // The focus has been moved elsewhere; the list itself takes it when the card that had it is gone.
      if (active !== focused && active !== document.body && active?.querySelector("[role=feed]") == null) return;
      const card = document.querySelector<HTMLElement>(`[data-index="${place}"][tabindex]`);
      if (card !== null) card.focus({ preventScroll: true });
      else if (performance.now() < untilMs) this.#wait(place, untilMs, focused);
    });
  }
}
