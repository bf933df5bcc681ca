import { isInView, showSideways } from "./show-range.ts";

/** Time limit for scrolling to a place that is still being loaded and opened. */
const ARRIVES_WITHIN_MS = 5_000;
/** A place not shown this long after its card has rendered is one that the card does not show. */
const SHOWS_WITHIN_MS = 1_500;
/** A place that has been in view without moving for this many frames has been reached. */
const CALM_FRAMES = 10;

type Arrival = {
  /** The scrolling element. A reader who scrolls or presses in it is not pulled back. */
  view: Element;
  /** The place, once it is on the page; null before. */
  place: () => Range | null;
  /** Scrolls to the place. */
  show: (place: Range) => void;
  /** Whether everything has been rendered; a place that is not there then is missing. */
  isHere: () => boolean;
  onMissing: () => void;
};

/**
 * Keeps a place in view until it comes to rest there, while content on the way is loaded, opened and measured. Returns a function
 * that stops this.
 */
export function arrive({ view, place, show, isHere, onMissing }: Arrival): () => void {
  const startedMs = performance.now();
  const listening = new AbortController();
  let calm = 0;
  let hereMs = 0;
  let frame = 0;
  const stop = () => {
    cancelAnimationFrame(frame);
    listening.abort();
  };
  const step = () => {
    const now = performance.now();
    const range = place();
    if (range !== null) {
      if (calm === 0) showSideways(range);
      calm += 1;
      if (!isInView(range, view)) {
        calm = 0;
        show(range);
      }
    } else if (isHere()) {
      if (hereMs === 0) hereMs = now;
      else if (now - hereMs > SHOWS_WITHIN_MS) {
        stop();
        return onMissing();
      }
    }
    if (calm < CALM_FRAMES && now - startedMs < ARRIVES_WITHIN_MS) frame = requestAnimationFrame(step);
    else listening.abort();
  };
  frame = requestAnimationFrame(step);
  const options = { passive: true, signal: listening.signal };
  for (const type of ["wheel", "pointerdown", "touchmove"] as const) view.addEventListener(type, stop, options);
  return stop;
}

/** Distance from the top of the list item around `element` down to a place, in px. */
export function placeInItem(element: Element, range: Range): number {
  let item = element;
  while (item.parentElement !== null && item.parentElement.role !== "feed") item = item.parentElement;
  return range.getBoundingClientRect().top - item.getBoundingClientRect().top;
}
