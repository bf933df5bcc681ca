import { useSearchParams } from "next/navigation";
import { useCallback, useEffect, useRef, useState } from "react";
import { replaceAddress } from "#components/trace/reader/browser-history.ts";
import type { Range } from "./timeline-data.ts";

/** The address is updated once a view has stayed the same for this long: browsers limit changes, and a wheel causes many. */
const ADDRESS_MS = 300;

/** The shown range of the run's time, null for all of it, and setters. It is stored in the address as `from` and `to`. */
export function useTimeView(): [view: Range | null, show: (view: Range | null) => void] {
  const search = useSearchParams();
  const inAddress = keyOf(parseRange(search.get("from"), search.get("to")));
  const [view, setView] = useState(() => rangeOf(inAddress));
  const written = useRef(inAddress);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  // Back, forward and links change the address from outside this view.
  useEffect(() => {
    if (inAddress === written.current) return;
    clearTimeout(timer.current);
    written.current = inAddress;
    setView(rangeOf(inAddress));
  }, [inAddress]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const show = useCallback((next: Range | null) => {
    const whole = next === null ? null : { from: Math.floor(next.from), to: Math.ceil(next.to) };
    setView(whole);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      written.current = keyOf(whole);
      const address = new URLSearchParams(window.location.search);
      for (const end of ["from", "to"] as const) {
        if (whole === null) address.delete(end);
        else address.set(end, new Date(whole[end]).toISOString());
      }
      replaceAddress(`?${address}`);
    }, ADDRESS_MS);
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
