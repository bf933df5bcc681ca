import { afterPaint } from "./after-paint.ts";

/** An item that grows within this time after a click in it counts as opened by the reader. */
const openedWithinMs = 1000;

type FeedGesturesOptions = {
  isItem: (element: Element) => boolean;
  onHome: () => void;
  onEnd: () => void;
  /** The reader presses something in the list, or lets go of it. */
  onPress: () => void;
  onLetGo: () => void;
};

/** The reader's actions in a feed besides scrolling: clicks, touches, and the position of the focus. */
export class FeedGestures {
  readonly #options: FeedGesturesOptions;
  #isTouched = false;
  #hadFocus = false;
  #clicked: { item: Element; at: number } | null = null;

  constructor(options: FeedGesturesOptions) {
    this.#options = options;
  }

  /** Whether a finger is on the feed: scrollTop must not be changed then. */
  get isTouched(): boolean {
    return this.#isTouched;
  }

  /** Listens to events of the scrolled element until the signal is aborted. */
  listen(scroller: HTMLElement, signal: AbortSignal): void {
    const options = { signal, passive: true };
    scroller.addEventListener("keydown", (event) => this.#onKeyDown(event), { signal });
    scroller.addEventListener("click", (event) => this.#onClick(event), options);
    scroller.addEventListener("pointerdown", (event) => this.#onPointerDown(event, signal), options);
    scroller.addEventListener("focusin", (event) => this.#noteFocus(event.target !== scroller), options);
    scroller.addEventListener("focusout", (event) => event.relatedTarget && this.#noteFocus(false), options);
    scroller.addEventListener("touchstart", (event) => this.#onTouchStart(event), options);
  }

  /** Whether the reader has clicked in this item just now. */
  isJustClicked(item: Element): boolean {
    return this.#clicked?.item === item && performance.now() - this.#clicked.at < openedWithinMs;
  }

  /** Moves the focus to the list when the focused card is no longer rendered. */
  keepFocus(scroller: HTMLElement | null): void {
    if (!this.#hadFocus || document.activeElement !== document.body) return;
    this.#hadFocus = false;
    scroller?.focus({ preventScroll: true });
  }

  /** The browser's own Home and End would move the thumb through the list frame by frame. */
  #onKeyDown(event: KeyboardEvent): void {
    if ((event.key !== "Home" && event.key !== "End") || event.defaultPrevented || isKeyForOthers(event)) return;
    event.preventDefault();
    if (event.key === "Home") this.#options.onHome();
    else this.#options.onEnd();
  }

  /** Ignores the scrollbar (target is the scroller), which may never send a release; the release may come outside the list. */
  #onPointerDown({ button, target, currentTarget }: PointerEvent, signal: AbortSignal): void {
    if (button !== 0 || target === currentTarget) return;
    this.#options.onPress();
    const released = new AbortController();
    const letGo = () => {
      released.abort();
      // The click comes after the release, and what it opens changes its size before the next paint.
      afterPaint(() => this.#options.onLetGo());
    };
    const options = { signal: AbortSignal.any([signal, released.signal]), passive: true };
    for (const type of ["pointerup", "pointercancel"] as const) window.addEventListener(type, letGo, options);
  }

  #onClick(event: Event): void {
    this.#clicked = null;
    for (let node = event.target; node instanceof Element; node = node.parentElement) {
      if (this.#options.isItem(node)) this.#clicked = { item: node, at: performance.now() };
    }
  }

  #noteFocus(isInside: boolean): void {
    this.#hadFocus = isInside;
  }

  /** The end of a touch goes to the element where it began, even if another has replaced it in the list. */
  #onTouchStart({ target }: Event): void {
    this.#isTouched = true;
    for (const type of ["touchend", "touchcancel"]) target?.addEventListener(type, this.#onTouchEnd, { passive: true });
  }

  // One function for all touches: an element that is touched again gets no further listener.
  readonly #onTouchEnd = (event: Event): void => {
    this.#isTouched = event instanceof TouchEvent && event.touches.length > 0;
  };
}

/** Whether Home or End belongs to the focused text or widget, or, with Alt or Shift, to the browser. */
function isKeyForOthers(event: KeyboardEvent): boolean {
  const editable =
    "input, textarea, select, [contenteditable], [role=tree], [role=menu], [role=listbox], [role=tablist]";
  return event.altKey || event.shiftKey || (event.target instanceof Element && event.target.closest(editable) !== null);
}
