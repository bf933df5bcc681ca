import type { FeedRange } from "#components/trace/list/feed-range.ts";
import { windowSize, windowStart } from "#components/trace/log-windows.ts";
import type { LogEntry } from "#lib/contract/entry.ts";
import { type EntryGroup, groupAround, groupsIn } from "./entry-groups.ts";
import { type Folding, isGroupOpen } from "./folding.ts";

/** The group that a place belongs to, and whether it is open. */
export type FoundGroup = { group: EntryGroup; isOpen: boolean };

type ListGroupsOptions = {
  /** The entry at a place, from 0; null while it is not at hand. */
  entryAt: (place: number) => LogEntry | null;
  /** So many entries from the first on may be in groups ({@link settledAfter}). */
  settled: number;
  folding: Folding;
};

/**
 * The groups of a list as it is now. They end at the edges of windows, so each is decided by what is loaded at once and never
 * changes by what comes beside it.
 */
export class ListGroups {
  readonly #options: ListGroupsOptions;
  readonly #known = new Map<number, EntryGroup[]>();

  constructor(options: ListGroupsOptions) {
    this.#options = options;
  }

  /** The group of a place; null for a card of its own. */
  at(place: number): FoundGroup | null {
    const group = groupAround(this.#inWindow(windowStart(place)), place);
    return group === null ? null : { group, isOpen: isGroupOpen(this.#options.folding, group) };
  }

  /** The nearest place that shows something, from a place on in a direction. */
  shownFrom(place: number, direction: 1 | -1): number {
    const found = this.at(place);
    if (found === null || found.isOpen || place === found.group.first) return place;
    return direction === 1 ? found.group.last + 1 : found.group.first;
  }

  #inWindow(start: number): EntryGroup[] {
    const { entryAt, settled } = this.#options;
    const known = this.#known.get(start);
    if (known !== undefined) return known;
    const size = Math.max(0, Math.min(windowSize, settled - start));
    const found = groupsIn(
      Array.from({ length: size }, (_, place) => entryAt(start + place)),
      start,
    );
    this.#known.set(start, found);
    return found;
  }
}

/**
 * How many entries may be in groups, once these of `count` are rendered. What comes live is not folded away under the reader's eyes:
 * it joins groups when it is out of sight.
 */
export function settledAfter(before: number, { first, last }: FeedRange, count: number): number {
  return Math.max(before, last < windowStart(before) ? count : windowStart(first));
}
