import type { EntryGroup } from "./entry-groups.ts";

/** What the reader folded and unfolded. Places in the list stand for entries: only the list of all entries has groups. */
export type Folding = {
  /** Whether groups are open that nothing else is said of. */
  areOpen: boolean;
  /** By the place of a group's first member. */
  chosen: ReadonlyMap<number, boolean>;
  /** Places that were led to: their groups are open, known yet or not. */
  revealed: ReadonlySet<number>;
};

/** Every group is folded. */
export const allFolded: Folding = { areOpen: false, chosen: new Map(), revealed: new Set() };

/** Whether a group shows its members. */
export function isGroupOpen({ areOpen, chosen, revealed }: Folding, { first, last }: EntryGroup): boolean {
  for (let place = first; place <= last; place += 1) if (revealed.has(place)) return true;
  return chosen.get(first) ?? areOpen;
}

/** Opens or folds one group; what it was led to before counts no longer. */
export function chooseGroup(folding: Folding, { first, last }: EntryGroup, isOpen: boolean): Folding {
  const revealed = new Set([...folding.revealed].filter((place) => place < first || place > last));
  return { ...folding, revealed, chosen: new Map(folding.chosen).set(first, isOpen) };
}

/** Opens the group of a place, whether it is known yet or not. The same object where it is open for that place already. */
export function revealPlace(folding: Folding, place: number): Folding {
  return folding.revealed.has(place) ? folding : { ...folding, revealed: new Set(folding.revealed).add(place) };
}
