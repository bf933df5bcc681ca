import type { ReadingPlace } from "./place.ts";
import type { ReaderHistory } from "./reading-places.ts";
import { parseTraceFilter, traceFilterKey } from "./trace-filter.ts";

const stateKey = "errandPlace";

/** The browser's history, for the page that is shown when it is read first. */
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
      // The address of another page or another list may be there before this one is gone.
      if (pathname !== path || traceFilterKey(parseTraceFilter(new URLSearchParams(search))) !== filterKey) return;
      window.history.replaceState({ ...window.history.state, [stateKey]: place }, "");
    },
  };
}

function readPlace(): ReadingPlace | null {
  const kept: unknown = window.history.state?.[stateKey];
  if (kept === "start" || kept === "end") return kept;
  return typeof kept === "number" && Number.isSafeInteger(kept) && kept > 0 ? kept : null;
}
