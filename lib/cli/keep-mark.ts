import type { Logger } from "#lib/logger.ts";
import type { Store } from "#lib/store/store.ts";

/** How late the high-water mark may be. */
const markMs = 1000;

/**
 * Keeps the store's high-water mark, outside of it, at most a second behind what all processes wrote. The returned function ends
 * that, with the mark at what was written last.
 */
export function keepMark(store: Pick<Store, "raiseMark">, logger: Pick<Logger, "debug">): () => Promise<void> {
  // A full disk or a busy store: the next time will do.
  const mark = () =>
    store.raiseMark().catch((error) => logger.debug({ err: error }, "the high-water mark was not raised"));
  const marking = setInterval(mark, markMs);
  return async () => {
    clearInterval(marking);
    await mark();
  };
}
