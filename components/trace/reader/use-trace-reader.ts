"use client";

import { type RefObject, useEffect, useLayoutEffect, useState } from "react";
import type { ReaderAddress } from "./address-bar.ts";
import { browserHistory } from "./browser-history.ts";
import { parseEntry } from "./log-windows.ts";
import type { ReadingPlace } from "./place.ts";
import type { ReaderSnapshot } from "./reader-state.ts";
import { traceFilterKey } from "./trace-filter.ts";
import { TraceReader } from "./trace-reader.ts";
import type { usePageSearch } from "./use-page-search.ts";
import { useSnapshot } from "./use-snapshot.ts";

/** The reader of the run that a page shows, for the life of the page. */
export function useTraceReader({ entry, filter, find, show }: ReturnType<typeof usePageSearch>): TraceReader {
  const [reader] = useState(
    () =>
      new TraceReader({
        address: { entry: parseEntry(entry), filterKey: traceFilterKey(filter), find },
        history: browserHistory(),
        write: show,
      }),
  );
  return reader;
}

type ReadingOptions = {
  /** The page's address. */
  address: ReaderAddress;
  /** Where the page's first list opens. */
  opens: ReadingPlace;
  /** The element that scrolls the list. */
  area: RefObject<HTMLElement | null>;
};

/** The reader's snapshot and where the present list opens; passes on changes of the address and scrolling. */
export function useReading(
  reader: TraceReader,
  { address, opens, area }: ReadingOptions,
): ReaderSnapshot & { start: ReadingPlace } {
  const { entry, filterKey, find } = address;
  const snapshot = useSnapshot(reader);
  const [list, setList] = useState(() => reader.places.first(address, opens));
  const next = reader.places.next(list, address);
  if (next !== list) setList(next);
  // Before other effects of the commit that shows another list.
  useLayoutEffect(() => reader.navigated({ entry, filterKey, find }), [reader, entry, filterKey, find]);
  // Once, before the first paint.
  const [first] = useState(list);
  useLayoutEffect(() => reader.restore(first), [reader, first]);
  useEffect(() => {
    const element = area.current;
    if (element === null) return;
    const look = () => reader.places.look();
    const leave = () => reader.places.keep();
    // Scroll events do not bubble but can be captured.
    element.addEventListener("scroll", look, { capture: true, passive: true });
    window.addEventListener("pagehide", leave);
    return () => {
      reader.places.forget();
      element.removeEventListener("scroll", look, { capture: true });
      window.removeEventListener("pagehide", leave);
    };
  }, [reader, area]);
  return { ...snapshot, start: next.start };
}
