/** A page that is not shown makes no frames; it is called back after so long all the same. */
const NO_FRAME_MS = 100;

/** Calls back when the next frame is made, before it is drawn, unless the returned function is called before. */
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
