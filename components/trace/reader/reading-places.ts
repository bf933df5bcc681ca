import type { ReaderAddress, SeqRange } from "./trace-reader.ts";

/** Where a reader is: at one of the ends of the list, or at an entry (its seq). */
export type ReadingPlace = "start" | "end" | number;

/** The page's entry in the browser's history, which keeps where the reader is. */
export type ReaderHistory = {
  /** Where the reader was when this entry was left; null for one that is new. */
  read: () => ReadingPlace | null;
  /** Keeps the place with this entry, unless it is another page's or another list's already. */
  keep: (place: ReadingPlace, filterKey: string) => void;
};

/** A list and where it opens; `start` stays the same for the life of the list. */
export type OpenedList = ReaderAddress & { start: ReadingPlace };

/** Browsers allow only so many changes of the history in a while. */
const RESTS_MS = 400;

/** Keeps where the reader is with the page's entry in the browser's history, and says where lists open. */
export class ReadingPlaces {
  readonly #history: ReaderHistory;
  readonly #schedule: (callback: () => void, ms: number) => () => void;
  #place: ReadingPlace | null = null;
  #isAtEnd = false;
  #led: number | null = null;
  #cancel = () => {};

  constructor(history: ReaderHistory, schedule: (callback: () => void, ms: number) => () => void) {
    this.#history = history;
    this.#schedule = schedule;
  }

  /** Whether the end of the list is in view. */
  setAtEnd(isAtEnd: boolean): void {
    this.#isAtEnd = isAtEnd;
  }

  /** These entries of the list are in view; nothing is known of them while last < first. */
  seen({ first, last }: SeqRange, filterKey: string): void {
    if (last >= first) this.#place = this.#isAtEnd ? "end" : first === 1 ? "start" : first;
    this.#cancel();
    // Who goes on before they have rested here comes back here too.
    if (this.#history.read() === null) this.keep(filterKey);
    else this.#cancel = this.#schedule(() => this.keep(filterKey), RESTS_MS);
  }

  /** Keeps the place now: the page's entry in the history is about to be left. */
  keep(filterKey: string): void {
    this.#cancel();
    if (this.#place !== null && this.#history.read() !== this.#place) this.#history.keep(this.#place, filterKey);
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
  first(address: ReaderAddress, opens: ReadingPlace): OpenedList {
    return { ...address, start: (address.filterKey === "" ? null : this.#history.read()) ?? opens };
  }

  /**
   * The list that the address shows after another one: the same while the filter is. It opens at the entry that it was asked for,
   * else where the reader was when this page of the history was left, else at the entry that the address has come to name, else
   * where the reader was in the list before. Nothing is changed by asking: a rendering may be given up for another one.
   */
  next(before: OpenedList, address: ReaderAddress): OpenedList {
    const { entry, filterKey } = address;
    if (filterKey === before.filterKey) return entry === before.entry ? before : { ...before, entry };
    const led = filterKey === "" && entry === this.#led ? entry : null;
    const named = entry === before.entry ? null : entry;
    return { ...address, start: led ?? this.#history.read() ?? named ?? this.#place ?? before.start };
  }
}
