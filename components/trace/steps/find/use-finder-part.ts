import { useSyncExternalStore } from "react";
import type { TraceFinder } from "#components/trace/reader/trace-finder.ts";

/** A part of a search's snapshot; renders again only when that part changes. `read` gives the same value until then. */
export function useFinderPart<Part>(finder: TraceFinder, read: () => Part): Part {
  return useSyncExternalStore(finder.subscribe, read, read);
}
