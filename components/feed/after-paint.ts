/** Calls back in the first frame that begins after the present page has been painted. The result cancels that. */
export function afterPaint(callback: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let frame = requestAnimationFrame(() => {
    // After a late frame the next one is due at once, and the browser runs it before it shows this one.
    timer = setTimeout(() => {
      frame = requestAnimationFrame(callback);
    });
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
