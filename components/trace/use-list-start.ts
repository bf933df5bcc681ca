"use client";

import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Opening } from "./log-windows.ts";
import type { TraceReader } from "./reader/trace-reader.ts";
import { type ReadingPlace, readPlace } from "./use-reading-place.ts";

type ListStartOptions = {
  /** Another one is another list. */
  filterKey: string;
  /** The seq that the address names, or null. */
  marked: number | null;
  /** Where the reader is in the list that is shown. */
  place: RefObject<ReadingPlace | null>;
  reader: TraceReader;
  /** Where the first list opens that the page shows. */
  opening: Opening;
};

/**
 * Where a list opens: where the reader was when this page of the history was left, else at the entry that the address has come to
 * name, else where the reader was in the list before. `lead` says where the next list opens before all of that.
 */
export function useListStart({ filterKey, marked, place, reader, opening }: ListStartOptions) {
  const led = useRef<number | null>(null);
  const opens = opening.at === "entry" ? opening.seq : opening.at;
  const [list, setList] = useState(() => ({
    filterKey,
    marked,
    start: (filterKey === "" || typeof window === "undefined" ? null : readPlace()) ?? opens,
  }));
  if (list.filterKey !== filterKey) {
    const named = marked === list.marked ? null : marked;
    const start = led.current ?? readPlace() ?? named ?? place.current ?? opens;
    setList({ filterKey, marked, start });
  } else if (list.marked !== marked) {
    setList({ ...list, marked });
  }
  // Not while rendering: a rendering that is given up would take it from the one that counts.
  useEffect(() => {
    if (list.filterKey === filterKey) led.current = null;
  }, [list.filterKey, filterKey]);
  // What the server has rendered cannot know the browser's history: that list is moved before it is painted.
  const isMoved = useRef(false);
  useLayoutEffect(() => {
    if (isMoved.current) return;
    isMoved.current = true;
    const kept = filterKey === "" ? readPlace() : null;
    if (kept === null || kept === opens) return;
    if (kept === "end") reader.toEnd();
    else reader.pass(kept === "start" ? 1 : kept);
  }, [filterKey, opens, reader]);

  const lead = useCallback((seq: number) => {
    led.current = seq;
  }, []);
  return { start: list.start, lead };
}
