import type { callLater } from "#components/ui/call-later.ts";
import type { ReaderAddress } from "./address-bar.ts";
import type { ReadingPlace, SeqRange } from "./place.ts";

/** The page's entry in the browser's history, which stores the reader's place. */
export type ReaderHistory = {
  /** The reader's place when they left this entry; null for a new one. */
  read: () => ReadingPlace | null;
  /** Stores the place in this entry, unless the entry already belongs to another page or list. */
  keep: (place: ReadingPlace, filterKey: string) => void;
};

/** A list and its initial position; `start` stays the same for the life of the list. */
export type OpenedList = ListAddress & { start: ReadingPlace };

export type ListAddress = Pick<ReaderAddress, "entry" | "filterKey">;

type ReadingPlacesOptions = {
  history: ReaderHistory;
  /** Calls back later; the result cancels that. */
  schedule: typeof callLater;
  /** The entries in view; unknown while last < first. */
  visible: () => SeqRange;
  /** The filter of the list in view. */
  filterKey: () => string;
};

/** Browsers limit how often the history may be changed. */
const RESTS_MS = 400;

/** Stores the reader's place in the browser's history, and decides where lists open. */
export class ReadingPlaces {
  readonly #options: ReadingPlacesOptions;
  #place: ReadingPlace | null = null;
  #isAtEnd = false;
  #opensNext: number | null = null;
  #cancel = () => {};

  constructor(options: ReadingPlacesOptions) {
    this.#options = options;
  }

  /** Whether the end of the list is in view. */
  setAtEnd(isAtEnd: boolean): void {
    this.#isAtEnd = isAtEnd;
    this.noteScroll();
  }

  /** To be called when the list has been scrolled. */
  noteScroll(): void {
    const { history, schedule, visible, filterKey } = this.#options;
    const { first, last } = visible();
    if (last >= first) this.#place = this.#isAtEnd ? "end" : first === 1 ? "start" : first;
    this.#cancel();
    // Stored at once, so that a reader who leaves early comes back here too.
    const seenIn = filterKey();
    if (history.read() === null) this.#keep(seenIn);
    else this.#cancel = schedule(() => this.#keep(seenIn), RESTS_MS);
  }

  /** Stores the place now, because the page's entry in the history is about to be left. */
  keep(): void {
    this.#keep(this.#options.filterKey());
  }

  /** Cancels what was about to be stored. */
  forget(): void {
    this.#cancel();
  }

  /** To be called when another list is shown: forgets a place not yet stored, which is of the old list, and the requested entry. */
  opened(): void {
    this.#cancel();
    this.#opensNext = null;
  }

  /** Makes the list of all entries open at this one, once the address names it. */
  openNextListAt(seq: number): void {
    this.#opensNext = seq;
  }

  /**
   * The first list of the page. Without a filter it is as rendered by the server, which does not know the browser's history; with a
   * filter it opens where the reader left this entry of the history.
   */
  first({ entry, filterKey }: ListAddress, opens: ReadingPlace): OpenedList {
    const kept = filterKey === "" ? null : this.#options.history.read();
    return { entry, filterKey, start: kept ?? opens };
  }

  /**
   * The list for the current address: the previous one as long as the filter stays the same. A new list opens at the requested
   * entry, else where the reader left this entry of the history, else at the entry named by the address, else where the reader
   * was in the previous list. Changes nothing: React may discard a rendering.
   */
  next(before: OpenedList, { entry, filterKey }: ListAddress): OpenedList {
    if (filterKey === before.filterKey) return entry === before.entry ? before : { ...before, entry };
    const requested = filterKey === "" && entry === this.#opensNext ? entry : null;
    const named = entry === before.entry ? null : entry;
    const start = requested ?? this.#options.history.read() ?? named ?? this.#place ?? before.start;
    return { entry, filterKey, start };
  }

  #keep(filterKey: string): void {
    const { history } = this.#options;
    this.#cancel();
    if (this.#place !== null && history.read() !== this.#place) history.keep(this.#place, filterKey);
  }
}
