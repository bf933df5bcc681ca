/** The reader's position as the page shows it. The object stays the same until something changes. */
export type ReaderSnapshot = {
  /** The entry that the address names, or null. */
  marked: number | null;
  folding: Folding;
  /** The last requested entry, if the filter hides it; otherwise null. */
  hidden: { seq: number; filterKey: string } | null;
  /** The search text taken from the address (null: none), a new object each time; null before the first. */
  asked: { find: string | null } | null;
};

/** The reader's snapshot, and listeners to its changes. */
export class ReaderState {
  readonly #listeners = new Set<() => void>();
  #snapshot: ReaderSnapshot;

  /** @param entry the seq at which the page opens, or null; its group is open */
  constructor(entry: number | null) {
    this.#snapshot = {
      marked: entry,
      folding: entry === null ? allFolded : revealSeq(allFolded, entry),
      hidden: null,
      asked: null,
    };
  }

  get snapshot(): ReaderSnapshot {
    return this.#snapshot;
  }

  /** Calls back after each change, until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Opens the group of an entry, whether it is loaded or not. */
  reveal(seq: number): void {
    this.#fold(revealSeq(this.#snapshot.folding, seq));
  }

  /** Opens or folds a group. */
  toggle(group: GroupPlaces): void {
    const { folding } = this.#snapshot;
    this.#fold(chooseGroup(folding, group, !isGroupOpen(folding, group)));
  }

  /** Opens or folds all groups. */
  toggleAll(): void {
    this.#fold({ ...allFolded, areOpen: !this.#snapshot.folding.areOpen });
  }

  /** Sets the entry that the filter hides; null once the reader has seen the notice. */
  protected hide(hidden: ReaderSnapshot["hidden"]): void {
    this.#set({ hidden });
  }

  /** Sets the entry that the address names. */
  protected setMarked(marked: number | null): void {
    if (marked !== this.#snapshot.marked) this.#set({ marked });
  }

  /** Sets the search text of the address; null ends the search. */
  protected ask(find: string | null): void {
    this.#set({ asked: { find } });
  }

  #fold(folding: Folding): void {
    if (folding !== this.#snapshot.folding) this.#set({ folding });
  }

  #set(change: Partial<ReaderSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change };
    for (const listener of this.#listeners) listener();
  }
}

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
