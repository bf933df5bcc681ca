import type { ReaderAddress } from "./address-bar.ts";
import type { ReadingPlace, SeqRange } from "./place.ts";

/** The page's entry in the browser's history, which keeps where the reader is. */
export type ReaderHistory = {
  /** Where the reader was when this entry was left; null for one that is new. */
  read: () => ReadingPlace | null;
  /** Keeps the place with this entry, unless it is another page's or another list's already. */
  keep: (place: ReadingPlace, filterKey: string) => void;
};

/** A list and where it opens; `start` stays the same for the life of the list. */
export type OpenedList = ListAddress & { start: ReadingPlace };

type ListAddress = Pick<ReaderAddress, "entry" | "filterKey">;

type ReadingPlacesOptions = {
  history: ReaderHistory;
  /** Calls back later; the result takes it back. */
  schedule: (callback: () => void, ms: number) => () => void;
  /** The entries in view; nothing is known of them while last < first. */
  visible: () => SeqRange;
  /** Which entries the list in view shows. */
  filterKey: () => string;
};

/** Browsers allow only so many changes of the history in a while. */
const RESTS_MS = 400;

/** Keeps where the reader is with the page's entry in the browser's history, and says where lists open. */
export class ReadingPlaces {
  readonly #options: ReadingPlacesOptions;
  #place: ReadingPlace | null = null;
  #isAtEnd = false;
  #led: number | null = null;
  #cancel = () => {};

  constructor(options: ReadingPlacesOptions) {
    this.#options = options;
  }

  /** Whether the end of the list is in view. */
  setAtEnd(isAtEnd: boolean): void {
    this.#isAtEnd = isAtEnd;
    this.look();
  }

  /** The list has been scrolled. */
  look(): void {
    const { history, schedule, visible, filterKey } = this.#options;
    const { first, last } = visible();
    if (last >= first) this.#place = this.#isAtEnd ? "end" : first === 1 ? "start" : first;
    this.#cancel();
    // Who goes on before they have rested here comes back here too.
    const seenIn = filterKey();
    if (history.read() === null) this.#keep(seenIn);
    else this.#cancel = schedule(() => this.#keep(seenIn), RESTS_MS);
  }

  /** Keeps the place now: the page's entry in the history is about to be left. */
  keep(): void {
    this.#keep(this.#options.filterKey());
  }

  /** Keeps nothing more of what was seen until now. */
  forget(): void {
    this.#cancel();
  }

  /** The list of all entries opens at this one, once the address names it. */
  lead(seq: number): void {
    this.#led = seq;
  }

  /** The first list of the page; what the server draws cannot know the browser's history. */
  first({ entry, filterKey }: ListAddress, opens: ReadingPlace): OpenedList {
    const kept = filterKey === "" ? null : this.#options.history.read();
    return { entry, filterKey, start: kept ?? opens };
  }

  /**
   * The list that the address shows after another one: the same while the filter is. It opens at the entry that it was asked for,
   * else where the reader was when this page of the history was left, else at the entry that the address has come to name, else
   * where the reader was in the list before. Nothing is changed by asking: a rendering may be given up for another one.
   */
  next(before: OpenedList, { entry, filterKey }: ListAddress): OpenedList {
    if (filterKey === before.filterKey) return entry === before.entry ? before : { ...before, entry };
    const led = filterKey === "" && entry === this.#led ? entry : null;
    const named = entry === before.entry ? null : entry;
    const start = led ?? this.#options.history.read() ?? named ?? this.#place ?? before.start;
    return { entry, filterKey, start };
  }

  #keep(filterKey: string): void {
    const { history } = this.#options;
    this.#cancel();
    if (this.#place !== null && history.read() !== this.#place) history.keep(this.#place, filterKey);
  }
}
