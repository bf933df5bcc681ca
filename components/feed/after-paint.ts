/** Calls back in the first frame that begins after the current page has been painted. Returns a function that cancels this. */
export function afterPaint(callback: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let frame = requestAnimationFrame(() => {
    // After a late frame the next one is due immediately, and the browser would run it before showing this one.
    timer = setTimeout(() => {
      frame = requestAnimationFrame(callback);
    });
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
