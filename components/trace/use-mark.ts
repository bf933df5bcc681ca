"use client";

import { type RefObject, useCallback, useEffect, useRef } from "react";
import type { Groups } from "./group/use-groups.ts";
import type { VirtualFeedHandle } from "./list/virtual-feed.tsx";
import type { ListPlaces } from "./list-places.ts";
import type { GoTo } from "./use-go-to.ts";

type Ways = { list: RefObject<VirtualFeedHandle | null>; places: ListPlaces; goTo: GoTo };

/**
 * Brings the entry of the address into view when the address changes; where it is in view already nothing moves. What it returns
 * marks an entry in the address without going there: the address follows later, when the reader may be elsewhere.
 */
export function useMark({ list, places, groups, goTo, marked, onMark }: Ways & Marking): (seq: number) => void {
  const shown = useRef(marked);
  const expected = useRef<number[]>([]);
  useEffect(() => {
    if (shown.current === marked) return;
    shown.current = marked;
    if (marked === null || list.current === null) return;
    const place = expected.current.indexOf(marked);
    expected.current.splice(0, place + 1);
    if (place >= 0) return;
    const { first, last } = list.current.visibleRange();
    const found = places.find(marked);
    const isInView = !(found instanceof Promise) && found.index >= first && found.index <= last;
    if (isInView && found.isShown) groups.reveal(found.index);
    else goTo.seq(marked, { align: "center" });
  }, [list, places, groups, goTo, marked]);
  return useCallback(
    (seq) => {
      if (shown.current !== seq) expected.current.push(seq);
      onMark(seq);
    },
    [onMark],
  );
}

type Marking = { groups: Groups; marked: number | null; onMark: (seq: number) => void };

/** The address can wait until the step is shown: the whole page is rendered again when it changes. */
const SOON_MS = 300;

/** The same, a moment later; only the last of several, and nothing once the list is gone. */
export function useSoon(act: (seq: number) => void): (seq: number) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(
    (seq) => {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => act(seq), SOON_MS);
    },
    [act],
  );
}
