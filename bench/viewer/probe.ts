/** The object that {@link installProbe} puts into the page. All times are milliseconds since the navigation began. */
export type Probe = {
  /** Time of the first frame with a loaded card in view. */
  firstCard: Promise<number>;
  /** Time when React had hydrated the list: from then on it responds to keys. */
  hydrated: Promise<number>;
  /** Time from the next key or press of the mouse to the frame in which `isThere` is true. */
  answer: (isThere: () => boolean) => Promise<number>;
  /** Time of the first frame with this text anywhere on the page: for pages that are not ours. */
  whenText: (text: string) => Promise<number>;
  /** Loaded cards in view, by seq. */
  shown: () => number[];
};

declare global {
  var probe: Probe;
}

/**
 * Runs in every page before its own scripts. A condition is checked when a frame begins (requestAnimationFrame) and timed in the
 * first task after it, before any that the page has waiting. What the page changes later in the same frame counts for the next
 * one, so times are up to one frame (17 ms) too long, and never too short except for rasterization by the compositor.
 */
export function installProbe(): void {
  const whenPainted = (isThere: () => boolean) =>
    new Promise<number>((resolve) => {
      const look = () => {
        if (!isThere()) {
          requestAnimationFrame(look);
          return;
        }
        void scheduler.postTask(() => resolve(performance.now()), { priority: "user-blocking" });
      };
      requestAnimationFrame(look);
    });
  const shown = () => {
    const list = document.querySelector("[role=feed]")?.closest("[tabindex]")?.getBoundingClientRect();
    if (list === undefined) return [];
    // Cards still loading are not focusable; a folded group counts as its first entry.
    return [...document.querySelectorAll<HTMLElement>("[data-seq][tabindex]")]
      .filter((card) => {
        const { top, bottom, height } = card.getBoundingClientRect();
        return height > 0 && bottom > list.top && top < Math.min(list.bottom, innerHeight);
      })
      .map((card) => Number(card.dataset.seq));
  };
  const isHydrated = () => {
    const list = document.querySelector("[role=feed]");
    return list !== null && Object.keys(list).some((key) => key.startsWith("__reactProps"));
  };
  const answer = (isThere: () => boolean) =>
    new Promise<number>((resolve) => {
      const stop = new AbortController();
      const begin = (event: Event) => {
        stop.abort();
        void whenPainted(isThere).then((now) => resolve(now - event.timeStamp));
      };
      for (const type of ["keydown", "pointerdown", "input"]) {
        window.addEventListener(type, begin, { capture: true, signal: stop.signal });
      }
    });
  const whenText = (text: string) => whenPainted(() => document.body?.textContent.includes(text) ?? false);
  globalThis.probe = {
    whenText,
    firstCard: whenPainted(() => shown().length > 0),
    hydrated: whenPainted(isHydrated),
    answer,
    shown,
  };
}
