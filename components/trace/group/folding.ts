import type { EntryGroup } from "./entry-groups.ts";

/** What the reader folded and unfolded, by seq. Only the list of all entries has groups: a group's place is its seq less one. */
export type Folding = {
  /** Whether groups are open that nothing else is said of. */
  areOpen: boolean;
  /** By the seq of a group's first member. */
  chosen: ReadonlyMap<number, boolean>;
  /** Entries that were gone to: their groups are open, known yet or not. */
  revealed: ReadonlySet<number>;
};

/** Every group is folded. */
export const allFolded: Folding = { areOpen: false, chosen: new Map(), revealed: new Set() };

/** Whether a group shows its members. */
export function isGroupOpen({ areOpen, chosen, revealed }: Folding, { first, last }: EntryGroup): boolean {
  for (let seq = first + 1; seq <= last + 1; seq += 1) if (revealed.has(seq)) return true;
  return chosen.get(first + 1) ?? areOpen;
}

/** Opens or folds one group; that one of its entries was gone to counts no longer. */
export function chooseGroup(folding: Folding, { first, last }: EntryGroup, isOpen: boolean): Folding {
  const revealed = new Set([...folding.revealed].filter((seq) => seq <= first || seq > last + 1));
  return { ...folding, revealed, chosen: new Map(folding.chosen).set(first + 1, isOpen) };
}

/** Opens the group of an entry, whether it is known yet or not. The same object where it is open for that entry already. */
export function revealSeq(folding: Folding, seq: number): Folding {
  return folding.revealed.has(seq) ? folding : { ...folding, revealed: new Set(folding.revealed).add(seq) };
}
