"use client";

import { type RefObject, useEffect, useLayoutEffect, useState } from "react";
import { hasEarlyEvents } from "#components/islands/early-events.ts";
import { useWasServerRendered } from "#components/ui/use-was-server-rendered.ts";
import { parseEntry } from "./address-bar.ts";
import { browserHistory } from "./browser-history.ts";
import type { ReadingPlace } from "./place.ts";
import type { ReaderSnapshot } from "./reader-state.ts";
import type { ListAddress } from "./reading-places.ts";
import { traceFilterKey } from "./trace-filter.ts";
import { TraceReader } from "./trace-reader.ts";
import type { usePageSearch } from "./use-page-search.ts";
import { useSnapshot } from "./use-snapshot.ts";

/** The reader of the run on the page, for the life of the page. Passes on changes of the address. */
export function useTraceReader({ entry, filter, find, show }: ReturnType<typeof usePageSearch>): TraceReader {
  const address = { entry: parseEntry(entry), filterKey: traceFilterKey(filter), find };
  const [reader] = useState(() => new TraceReader({ address, history: browserHistory(), write: show }));
  // Before other effects of the commit that shows another list.
  useLayoutEffect(
    () => reader.navigated({ entry: address.entry, filterKey: address.filterKey, find }),
    [reader, address.entry, address.filterKey, find],
  );
  return reader;
}

type ReadingOptions = {
  /** The page's address. */
  address: ListAddress;
  /** Initial position of the page's first list. */
  opens: ReadingPlace;
  /** The element that scrolls the list. */
  area: RefObject<HTMLElement | null>;
};

/** The reader's snapshot and where the current list opens. Passes on scrolling. */
export function useReading(
  reader: TraceReader,
  { address, opens, area }: ReadingOptions,
): ReaderSnapshot & { start: ReadingPlace } {
  const snapshot = useSnapshot(reader);
  const [list, setList] = useState(() => reader.places.first(address, opens));
  const next = reader.places.next(list, address);
  if (next !== list) setList(next);
  // Runs once, before the first paint.
  const [first] = useState(list);
  const wasDrawn = useWasServerRendered();
  useLayoutEffect(() => {
    // What the reader has used in the list that the server rendered stays in view.
    const isUsed = wasDrawn && area.current !== null && isInUse(area.current);
    if (!isUsed) reader.restore(first);
  }, [reader, first, area, wasDrawn]);
  useEffect(() => {
    const element = area.current;
    if (element === null) return;
    const noteScroll = () => reader.places.noteScroll();
    const leave = () => reader.places.keep();
    // Scroll events do not bubble but can be captured.
    element.addEventListener("scroll", noteScroll, { capture: true, passive: true });
    window.addEventListener("pagehide", leave);
    return () => {
      reader.places.forget();
      element.removeEventListener("scroll", noteScroll, { capture: true });
      window.removeEventListener("pagehide", leave);
    };
  }, [reader, area]);
  return { ...snapshot, start: next.start };
}

/** Whether the reader is already using the list: it has the focus, or something was pressed in it. */
function isInUse(list: Element): boolean {
  return list.contains(document.activeElement) || hasEarlyEvents(list);
}
