/** Where an item stands in a list; where the list does not show it, the place of the first one after it, else of the last. */
export type FoundPlace = { index: number; isShown: boolean };

/** The places of a list, from 0, and the items that stand at them, each with a number of its own (`seq`), ascending. */
export type Places = {
  /** How many items there are. May grow at any time, at the end. */
  count: number;
  /** The seq of the item at a place; null while it is not known. */
  seqAt: (index: number) => number | null;
  /** Where an item stands; asks the server only where it must. */
  find: (seq: number) => FoundPlace | Promise<FoundPlace>;
  /** The nearest place that shows something, from a place on in a direction; where left out, every place does. */
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

/** Where an item stands among those at hand, by place; null where they do not tell. */
export function placeAmong(items: ReadonlyMap<number, { seq: number }>, seq: number): FoundPlace | null {
  for (const [index, item] of items) {
    if (item.seq === seq) return { index, isShown: true };
    const before = items.get(index - 1);
    // Between two neighbours nothing else is shown.
    if (before !== undefined && before.seq < seq && seq < item.seq) return { index, isShown: false };
  }
  return null;
}

/** The same from what the server tells: how many items of the list stand before `seq`, and the first one from there on. */
export function placeFrom(
  { skip, seq: next, matching_logs: count }: { skip: number; seq: number | null; matching_logs: number },
  seq: number,
): FoundPlace {
  return { index: Math.max(0, Math.min(skip, count - 1)), isShown: next === seq };
}
