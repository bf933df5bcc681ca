import type { LogEntry } from "#lib/contract/entry.ts";

/** Where an entry stands in a list; where the list does not show it, the place of the first one after it, else of the last. */
export type FoundPlace = { index: number; isShown: boolean };

/** The places of a list and the entries that stand at them. */
export type ListPlaces = {
  /** How many entries the list shows. */
  count: number;
  /** The seq of the entry at a place, from 0; null while it is not known. */
  seqAt: (index: number) => number | null;
  /** Where an entry stands; asks the server only where it must. */
  find: (seq: number) => FoundPlace | Promise<FoundPlace>;
};

/** The places of the list of all entries: they are dense. */
export function allPlaces(count: number): ListPlaces {
  return {
    count,
    seqAt: (index) => (index >= 0 && index < count ? index + 1 : null),
    find: (seq) => ({ index: Math.max(0, Math.min(seq, count) - 1), isShown: seq >= 1 && seq <= count }),
  };
}

/** Where an entry stands among entries that are at hand, by place; null where they do not tell. */
export function placeAmong(entries: ReadonlyMap<number, LogEntry>, seq: number): FoundPlace | null {
  for (const [index, entry] of entries) {
    if (entry.seq === seq) return { index, isShown: true };
    const before = entries.get(index - 1);
    // Between two neighbours nothing else is shown.
    if (before !== undefined && before.seq < seq && seq < entry.seq) return { index, isShown: false };
  }
  return null;
}

/** The same from what the server tells: how many entries of the list stand before `seq`, and the first one from there on. */
export function placeFrom(
  { skip, seq: next, matching_logs: count }: { skip: number; seq: number | null; matching_logs: number },
  seq: number,
): FoundPlace {
  return { index: Math.max(0, Math.min(skip, count - 1)), isShown: next === seq };
}
