import { type RefObject, useEffect, useState } from "react";
import type { SeqRange } from "#components/trace/reader/place.ts";
import type { TraceReader } from "#components/trace/reader/trace-reader.ts";

/** Entries in view, kept up to date while the list inside `area` is scrolled, resized or grows. */
export function useVisibleRange(reader: TraceReader, area: RefObject<HTMLElement | null>, count: number): SeqRange {
  const [range, setRange] = useState<SeqRange>({ first: 1, last: 0 });
  useEffect(() => {
    const element = area.current;
    if (element === null) return;
    let frame = 0;
    const read = () => {
      frame = 0;
      const next = reader.visible;
      setRange((before) => (before.first === next.first && before.last === next.last ? before : next));
    };
    const readSoon = () => {
      if (frame === 0) frame = requestAnimationFrame(read);
    };
    // A scroll event does not bubble, but it is captured on its way down.
    element.addEventListener("scroll", readSoon, { capture: true, passive: true });
    const resized = new ResizeObserver(readSoon);
    resized.observe(element);
    // Cards that are mounted or grow move the view without a scroll event.
    const changed = new MutationObserver(readSoon);
    changed.observe(element, { childList: true, subtree: true });
    return () => {
      element.removeEventListener("scroll", readSoon, { capture: true });
      resized.disconnect();
      changed.disconnect();
      cancelAnimationFrame(frame);
    };
  }, [reader, area]);
  const last = Math.min(range.last, count);
  return { first: Math.min(range.first, Math.max(1, last)), last };
}
