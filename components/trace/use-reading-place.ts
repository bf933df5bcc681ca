"use client";

import { type RefObject, useCallback, useEffect, useRef } from "react";
import type { TraceReader } from "./reader/trace-reader.ts";

/** Where a reader is: at one of the ends, or at an entry (its seq). */
export type ReadingPlace = "start" | "end" | number;

const stateKey = "errandPlace";
/** Browsers allow only so many changes of the history in a while. */
const RESTS_MS = 400;

/**
 * Keeps where the reader is with the page's entry in the browser's history, so that a reload and going back lead there again. Gives
 * the place as it is now, null before there was any, and a callback to be told whether the end is in view.
 */
export function useReadingPlace(
  reader: TraceReader,
  area: RefObject<HTMLElement | null>,
): { place: RefObject<ReadingPlace | null>; onAtEndChange: (isAtEnd: boolean) => void } {
  const place = useRef<ReadingPlace | null>(null);
  const isAtEnd = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const path = useRef<string | null>(null);
  const look = useCallback(() => {
    const { first, last } = reader.visible;
    // While what is in view is on its way, the reader is where they were.
    if (last >= first) place.current = isAtEnd.current ? "end" : first === 1 ? "start" : first;
    path.current ??= window.location.pathname;
    clearTimeout(timer.current);
    // The address of another page may be there before this one is gone.
    if (window.location.pathname !== path.current) return;
    // Who goes on before he has rested here comes back here too.
    if (readPlace() === null) keepPlace(place.current);
    else timer.current = setTimeout(() => keepPlace(place.current), RESTS_MS);
  }, [reader]);
  useEffect(() => {
    const element = area.current;
    if (element === null) return;
    const leave = () => {
      clearTimeout(timer.current);
      keepPlace(place.current);
    };
    // A scroll event does not bubble, but it is captured on its way down.
    element.addEventListener("scroll", look, { capture: true, passive: true });
    window.addEventListener("pagehide", leave);
    return () => {
      clearTimeout(timer.current);
      element.removeEventListener("scroll", look, { capture: true });
      window.removeEventListener("pagehide", leave);
    };
  }, [area, look]);
  const onAtEndChange = useCallback(
    (isNow: boolean) => {
      isAtEnd.current = isNow;
      look();
    },
    [look],
  );
  return { place, onAtEndChange };
}

/** Where the reader was when this entry of the history was left; null for one that is new. */
export function readPlace(): ReadingPlace | null {
  const kept: unknown = window.history.state?.[stateKey];
  if (kept === "start" || kept === "end") return kept;
  return typeof kept === "number" && Number.isSafeInteger(kept) && kept > 0 ? kept : null;
}

function keepPlace(place: ReadingPlace | null): void {
  if (place === null || readPlace() === place) return;
  window.history.replaceState({ ...window.history.state, [stateKey]: place }, "");
}
