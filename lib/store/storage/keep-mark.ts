import type { openMark } from "./raise-mark.ts";

/** How late the high-water mark may be. */
const markMs = 1000;

/**
 * Keeps the store's high-water mark, outside of it, at most a second behind what all processes wrote. The returned function ends
 * that, with the mark at what was written last, and closes it. `onFailure` is called whenever the mark could not be raised (a full
 * disk, a busy store): the next time will do.
 */
export function keepMark(mark: ReturnType<typeof openMark>, onFailure: (error: unknown) => void): () => void {
  const raise = () => {
    try {
      mark.raise();
    } catch (error) {
      onFailure(error);
    }
  };
  const marking = setInterval(raise, markMs);
  return () => {
    clearInterval(marking);
    raise();
    mark.close();
  };
}
