import { useSearchParams } from "next/navigation";
import { useCallback, useEffect, useRef, useState } from "react";
import { replaceAddress } from "#components/trace/reader/browser-history.ts";
import type { Range } from "./timeline-data.ts";

/** The address is updated once a view has stayed the same for this long: browsers limit changes, and a wheel causes many. */
const ADDRESS_MS = 300;

/** The shown range of the run's time, null for all of it, and setters. It is stored in the address as `from` and `to`. */
export function useTimeView(): [view: Range | null, show: (view: Range | null) => void] {
  const search = useSearchParams();
  const isShown = search.get("tab") === "timeline";
  const inAddress = keyOf(parseRange(search.get("from"), search.get("to")));
  const [view, setView] = useState(() => rangeOf(inAddress));
  const written = useRef(inAddress);

  // Back, forward and links change the address from outside this view.
  useEffect(() => {
    if (inAddress === written.current) return;
    written.current = inAddress;
    setView(rangeOf(inAddress));
  }, [inAddress]);
  // A view left before it was written stays, and is written when the reader comes back to it.
  useEffect(() => {
    if (!isShown || keyOf(view) === written.current) return;
    const timer = setTimeout(() => {
      const address = new URLSearchParams(window.location.search);
      // The page may be slow to follow an address that is already a step's.
      if (address.get("tab") !== "timeline") return;
      written.current = keyOf(view);
      for (const end of ["from", "to"] as const) {
        if (view === null) address.delete(end);
        else address.set(end, new Date(view[end]).toISOString());
      }
      replaceAddress(`?${address}`);
    }, ADDRESS_MS);
    return () => clearTimeout(timer);
  }, [isShown, view]);

  const show = useCallback((next: Range | null) => {
    setView(next === null ? null : { from: Math.floor(next.from), to: Math.ceil(next.to) });
  }, []);
  return [view, show];
}

/** Range in an address, or null if it has none. */
export function parseRange(from: string | null, to: string | null): Range | null {
  const range = { from: Date.parse(from ?? ""), to: Date.parse(to ?? "") };
  return range.from < range.to ? range : null;
}

function keyOf(range: Range | null): string {
  return range === null ? "" : `${range.from} ${range.to}`;
}

function rangeOf(key: string): Range | null {
  const [from, to] = key.split(" ").map(Number);
  return from === undefined || to === undefined ? null : { from, to };
}
