/** Calls back once, when the page has loaded and the browser has nothing to do, at the latest a second after. Returns how to give it up. */
export function whenIdle(callback: () => void): () => void {
  const given = new AbortController();
  const soon = () => {
    const run = () => given.signal.aborted || callback();
    // Safari cannot tell when it is idle.
    if (typeof window.requestIdleCallback !== "function") setTimeout(run, 200);
    else window.requestIdleCallback(run, { timeout: 1_000 });
  };
  if (document.readyState === "complete") soon();
  else window.addEventListener("load", soon, { once: true, signal: given.signal });
  return () => given.abort();
}
