/**
 * Calls back once, when the page has loaded and the browser is idle, at the latest after a second. Returns a function that
 * cancels this.
 */
export function whenIdle(callback: () => void): () => void {
  const given = new AbortController();
  const soon = () => {
    const run = () => given.signal.aborted || callback();
    // Safari does not support requestIdleCallback.
    if (typeof window.requestIdleCallback !== "function") setTimeout(run, 200);
    else window.requestIdleCallback(run, { timeout: 1_000 });
  };
  if (document.readyState === "complete") soon();
  else window.addEventListener("load", soon, { once: true, signal: given.signal });
  return () => given.abort();
}
