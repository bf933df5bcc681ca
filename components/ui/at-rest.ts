/** What only fills time is not waited for longer than this. */
const RESTS_WITHIN_MS = 1_000;
/** Where the browser cannot tell when it has nothing to do. */
const PAUSE_MS = 200;
/** What the reader does first with a page. */
const gestures = ["pointerdown", "keydown", "wheel", "touchstart", "focusin"] as const;

const waiting = new Set<() => void>();
let hasRested = false;
let isWatched = false;

/**
 * Calls back once, when the page has loaded and has nothing to do, or as soon as the reader does something with it: for what
 * is not needed to read what came with the page. Returns how to give it up.
 */
export function whenAtRest(callback: () => void): () => void {
  if (hasRested) {
    callback();
    return () => {};
  }
  waiting.add(callback);
  watch();
  return () => waiting.delete(callback);
}

function watch(): void {
  if (isWatched) return;
  isWatched = true;
  for (const type of gestures) window.addEventListener(type, rest, { capture: true, passive: true });
  if (document.readyState === "complete") soon();
  else window.addEventListener("load", soon, { once: true });
}

function soon(): void {
  if (typeof window.requestIdleCallback === "function") window.requestIdleCallback(rest, { timeout: RESTS_WITHIN_MS });
  else setTimeout(rest, PAUSE_MS);
}

function rest(): void {
  hasRested = true;
  for (const type of gestures) window.removeEventListener(type, rest, { capture: true });
  for (const callback of waiting) callback();
  waiting.clear();
}
