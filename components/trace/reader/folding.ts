/** Places in the list, from 0, both included. */
export type GroupPlaces = { first: number; last: number };

/**
 * Groups opened and closed by the reader, by seq. Only the unfiltered list has groups, where a position is the seq minus one.
 */
export type Folding = {
  /** Whether groups are open by default. */
  areOpen: boolean;
  /** By the seq of a group's first member. */
  chosen: ReadonlyMap<number, boolean>;
  /** Entries that were navigated to: their groups are open, loaded or not. */
  revealed: ReadonlySet<number>;
};

/** Every group is closed. */
export const allFolded: Folding = { areOpen: false, chosen: new Map(), revealed: new Set() };

/** Whether a group shows its members. */
export function isGroupOpen({ areOpen, chosen, revealed }: Folding, { first, last }: GroupPlaces): boolean {
  for (let seq = first + 1; seq <= last + 1; seq += 1) if (revealed.has(seq)) return true;
  return chosen.get(first + 1) ?? areOpen;
}

/** Opens or closes one group; a navigation to one of its entries no longer counts. */
export function chooseGroup(folding: Folding, { first, last }: GroupPlaces, isOpen: boolean): Folding {
  const revealed = new Set([...folding.revealed].filter((seq) => seq <= first || seq > last + 1));
  return { ...folding, revealed, chosen: new Map(folding.chosen).set(first + 1, isOpen) };
}

/** Opens the group of an entry, whether it is loaded or not. Returns the same object if it is already open for that entry. */
export function revealSeq(folding: Folding, seq: number): Folding {
  return folding.revealed.has(seq) ? folding : { ...folding, revealed: new Set(folding.revealed).add(seq) };
}
