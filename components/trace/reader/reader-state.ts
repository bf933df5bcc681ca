import { allFolded, chooseGroup, type Folding, type GroupPlaces, isGroupOpen, revealSeq } from "./folding.ts";

/** What the page shows of the reader's position: the same object until something changes. */
export type ReaderSnapshot = {
  /** The entry that the address names, or null. */
  marked: number | null;
  folding: Folding;
  /** The last requested entry, if the filter hides it; otherwise null. */
  hidden: { seq: number; filterKey: string } | null;
  /** The search text that came by the address (null: none), a new object each time; null before the first. */
  asked: { find: string | null } | null;
};

/** Open groups, the entry hidden by the filter, and listeners to changes of both. */
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
