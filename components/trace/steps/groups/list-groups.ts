import type { FeedRange } from "#components/feed/feed-range.ts";
import { type Folding, isGroupOpen } from "#components/trace/reader/folding.ts";
import { windowSize, windowStart } from "#components/trace/reader/log-windows.ts";
import type { LogEntry } from "#lib/contract/entry.ts";
import { type EntryGroup, groupAround, groupsIn } from "./entry-groups.ts";

/** The group at a position, and whether it is open. */
export type FoundGroup = { group: EntryGroup; isOpen: boolean };

type ListGroupsOptions = {
  /** The entry at a position, from 0; null if it is not loaded. */
  entryAt: (place: number) => LogEntry | null;
  /** Number of entries from the beginning that may be in groups ({@link settledAfter}). */
  settled: number;
  folding: Folding;
};

/**
 * Current groups of a list. They end at the edges of windows, so each depends only on entries loaded together and never changes
 * because of its neighbors.
 */
export class ListGroups {
  readonly #options: ListGroupsOptions;
  readonly #known = new Map<number, EntryGroup[]>();

  constructor(options: ListGroupsOptions) {
    this.#options = options;
  }

  /** Group at a position; null for a single card. */
  at(place: number): FoundGroup | null {
    const group = groupAround(this.#inWindow(windowStart(place)), place);
    return group === null ? null : { group, isOpen: isGroupOpen(this.#options.folding, group) };
  }

  /** Nearest visible position in a direction. */
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
 * Number of entries that may be in groups, once these of `count` are rendered. Live entries are not folded before the reader's
 * eyes: they join groups when out of sight.
 */
export function settledAfter(before: number, { first, last }: FeedRange, count: number): number {
  return Math.max(before, last < windowStart(before) ? count : windowStart(first));
}
