import type { ReadingPlace } from "./place.ts";
import type { ReaderHistory } from "./reading-places.ts";
import { parseTraceFilter, traceFilterKey } from "./trace-filter.ts";

const stateKey = "errandPlace";

/** Access to the browser's history for one page: the one that is shown at the first read. */
export function browserHistory(): ReaderHistory {
  let path: string | null = null;
  return {
    read: () => {
      if (typeof window === "undefined") return null;
      path ??= window.location.pathname;
      return readPlace();
    },
    keep: (place, filterKey) => {
      const { pathname, search } = window.location;
      path ??= pathname;
      // The address of another page or list may appear before this one has been removed.
      if (pathname !== path || traceFilterKey(parseTraceFilter(new URLSearchParams(search))) !== filterKey) return;
      window.history.replaceState({ ...window.history.state, [stateKey]: place }, "");
    },
  };
}

/** Changes the address of the page's entry in the history, which keeps the reader's place. */
export function replaceAddress(address: string): void {
  const place = readPlace();
  // Without Next's own state: Next adds that itself, and does not follow an address that already comes with it.
  window.history.replaceState(place === null ? null : { [stateKey]: place }, "", address);
}

function readPlace(): ReadingPlace | null {
  const kept: unknown = window.history.state?.[stateKey];
  if (kept === "start" || kept === "end") return kept;
  return typeof kept === "number" && Number.isSafeInteger(kept) && kept > 0 ? kept : null;
}
