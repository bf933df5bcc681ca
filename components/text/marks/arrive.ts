import { isInView, showSideways } from "./show-range.ts";

/** How long a place may take to be loaded and opened and is still scrolled to. */
const ARRIVES_WITHIN_MS = 5_000;
/** A place that is not shown although its card has been here for so long is one that the card does not show. */
const SHOWS_WITHIN_MS = 1_500;
/** A place that stood still in the view for so many frames has arrived. */
const CALM_FRAMES = 10;

type Journey = {
  /** The element whose box is the view; who scrolls or presses in it is not pulled back. */
  view: Element;
  /** The place, once it is on the page. */
  place: () => Range | null;
  /** Scrolls to the place. */
  show: (place: Range) => void;
  /** Whether all that will be shown is here; then a place that is not there is missing. */
  isHere: () => boolean;
  onMissing: () => void;
};

/** Follows a place until it stands in the view: what is on the way is loaded, opened and measured. Returns how to give up. */
export function arrive({ view, place, show, isHere, onMissing }: Journey): () => void {
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

/** How far below the top of the list's item around `element` a place stands, in px. */
export function placeInItem(element: Element, range: Range): number {
  let item = element;
  while (item.parentElement !== null && item.parentElement.role !== "feed") item = item.parentElement;
  return range.getBoundingClientRect().top - item.getBoundingClientRect().top;
}
