/** The place of an item in a list. If the list does not show it: the place of the first item after it, or of the last item. */
export type FoundPlace = { index: number; isShown: boolean };

/** The places of a list, from 0, and the items at them, each with its own number (`seq`), ascending. */
export type Places = {
  /** Number of items. May grow at any time, at the end. */
  count: number;
  /** The seq of the item at a place; null while it is not known. */
  seqAt: (index: number) => number | null;
  /** Finds an item's place; asks the server only if necessary. */
  find: (seq: number) => FoundPlace | Promise<FoundPlace>;
  /** The nearest place from `index` on, in this direction, that is not folded away. Absent if nothing can be folded. */
  shownFrom?: (index: number, direction: 1 | -1) => number;
};

/** The places of a list whose items are numbered without a gap, from 1. */
export function densePlaces(count: number): Places {
  return {
    count,
    seqAt: (index) => (index >= 0 && index < count ? index + 1 : null),
    find: (seq) => ({ index: Math.max(0, Math.min(seq, count) - 1), isShown: seq >= 1 && seq <= count }),
  };
}

/** The place of an item, derived from the loaded items (by place); null if they do not determine it. */
export function placeAmong(items: ReadonlyMap<number, { seq: number }>, seq: number): FoundPlace | null {
  for (const [index, item] of items) {
    if (item.seq === seq) return { index, isShown: true };
    const before = items.get(index - 1);
    // The list shows nothing between two neighbors.
    if (before !== undefined && before.seq < seq && seq < item.seq) return { index, isShown: false };
  }
  return null;
}

/** The place of an item, derived from the server's answer: the number of items before `seq`, and the first one from there on. */
export function placeFrom(
  { skip, seq: next, matching_logs: count }: { skip: number; seq: number | null; matching_logs: number },
  seq: number,
): FoundPlace {
  return { index: Math.max(0, Math.min(skip, count - 1)), isShown: next === seq };
}
