/** Calls back in the first frame that begins when what is on the page now has been painted. The result takes that back. */
export function afterPaint(callback: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let frame = requestAnimationFrame(() => {
    // A frame that came late has the next one waiting already, which the browser makes before it shows this one.
    timer = setTimeout(() => {
      frame = requestAnimationFrame(callback);
    });
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
