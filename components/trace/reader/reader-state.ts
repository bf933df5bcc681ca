import { allFolded, chooseGroup, type Folding, type GroupPlaces, isGroupOpen, revealSeq } from "./folding.ts";

/** What the page shows of the reader's position: the same object until something changes. */
export type ReaderSnapshot = {
  /** The entry that the address names, or null. */
  marked: number | null;
  folding: Folding;
  /** The entry that was wanted last and that the list of this filter does not show; null where there is none. */
  hidden: { seq: number; filterKey: string } | null;
  /** What somebody has put into the address to be looked for (null: nothing), another object each time; null before anybody has. */
  asked: { find: string | null } | null;
};

/** Which groups the reader has open and what is hidden from them, and who is told when that changes. */
export class ReaderState {
  readonly #listeners = new Set<() => void>();
  #snapshot: ReaderSnapshot;

  /** @param entry the seq that the page opens at, or null: its group is open */
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

  /** Opens the group that holds an entry, whether it is known yet or not. */
  reveal(seq: number): void {
    this.#fold(revealSeq(this.#snapshot.folding, seq));
  }

  /** Folds a group that is open, opens one that is folded. */
  toggle(group: GroupPlaces): void {
    const { folding } = this.#snapshot;
    this.#fold(chooseGroup(folding, group, !isGroupOpen(folding, group)));
  }

  /** Folds all groups, or opens them where they are folded. */
  toggleAll(): void {
    this.#fold({ ...allFolded, areOpen: !this.#snapshot.folding.areOpen });
  }

  /** The entry that was wanted is not shown; null: the reader has seen that. */
  protected hide(hidden: ReaderSnapshot["hidden"]): void {
    this.#set({ hidden });
  }

  /** The address names this entry now. */
  protected setMarked(marked: number | null): void {
    if (marked !== this.#snapshot.marked) this.#set({ marked });
  }

  /** The address asks to look for this text, or for nothing any more. */
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
