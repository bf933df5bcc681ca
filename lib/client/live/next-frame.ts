/** A hidden page has no frames; the callback then runs after this long. */
const NO_FRAME_MS = 100;

/** Calls back when the next frame is prepared, before it is painted, unless the returned function is called first. */
export function nextFrame(callback: () => void): () => void {
  const stop = () => {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
  };
  const call = () => {
    stop();
    callback();
  };
  const timer = setTimeout(call, NO_FRAME_MS);
  const frame = requestAnimationFrame(call);
  return stop;
}
