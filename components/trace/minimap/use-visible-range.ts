import { type RefObject, useEffect, useState } from "react";
import type { FeedRange } from "#components/trace/list/feed-range.ts";
import type { VirtualFeedHandle } from "#components/trace/list/virtual-feed.tsx";

/** The items of the feed in view, kept true while the feed inside of `area` is scrolled, resized or grows. */
export function useVisibleRange(
  feed: RefObject<VirtualFeedHandle | null>,
  area: RefObject<HTMLElement | null>,
  count: number,
): FeedRange {
  const [range, setRange] = useState<FeedRange>({ first: 0, last: -1 });
  useEffect(() => {
    const element = area.current;
    if (element === null) return;
    let frame = 0;
    const read = () => {
      frame = 0;
      const next = feed.current?.visibleRange();
      if (next === undefined) return;
      setRange((before) => (before.first === next.first && before.last === next.last ? before : next));
    };
    const readSoon = () => {
      if (frame === 0) frame = requestAnimationFrame(read);
    };
    // A scroll event does not bubble, but it is captured on its way down.
    element.addEventListener("scroll", readSoon, { capture: true, passive: true });
    const resized = new ResizeObserver(readSoon);
    resized.observe(element);
    // Cards that are put on the page or grow move what is in view without a scroll event.
    const changed = new MutationObserver(readSoon);
    changed.observe(element, { childList: true, subtree: true });
    return () => {
      element.removeEventListener("scroll", readSoon, { capture: true });
      resized.disconnect();
      changed.disconnect();
      cancelAnimationFrame(frame);
    };
  }, [feed, area]);
  const last = Math.min(range.last, count - 1);
  return { first: Math.min(range.first, Math.max(0, last)), last };
}
