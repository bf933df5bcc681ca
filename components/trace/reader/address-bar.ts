import { ExpectedAddress } from "./expected-address.ts";
import { parseEntry } from "./log-windows.ts";
import type { PageSearchChange } from "./use-page-search.ts";

/** The parts of the page's address that say where the reader is. */
export type ReaderAddress = {
  /** The seq that `?entry=` names, or null. */
  entry: number | null;
  /** Which entries are shown, as `traceFilterKey` writes it; empty for all. */
  filterKey: string;
  /** The search text; null without a search. */
  find: string | null;
};

/** Changes the page's address. The new one is reported when the page has time. */
export type WriteAddress = (change: PageSearchChange, how: "push" | "replace") => void;

/** Writes and follows the page's address, and knows which of its changes the page made itself. */
export class AddressBar {
  readonly #write: WriteAddress;
  readonly #entry: ExpectedAddress<number | null>;
  readonly #find: ExpectedAddress<string | null>;
  #filterKey: string;

  constructor({ entry, find, filterKey }: ReaderAddress, write: WriteAddress) {
    this.#write = write;
    this.#entry = new ExpectedAddress(entry);
    this.#find = new ExpectedAddress(find);
    this.#filterKey = filterKey;
  }

  /** Which entries the address shows. */
  get filterKey(): string {
    return this.#filterKey;
  }

  /** Whether the address names this entry, or soon will. */
  says({ entry, find }: Pick<ReaderAddress, "entry" | "find">): boolean {
    return this.#entry.last === entry && this.#find.last === find;
  }

  /** The entry that the address names, or soon will. */
  get entry(): number | null {
    return this.#entry.last;
  }

  write(change: PageSearchChange, how: "push" | "replace"): void {
    if (change.entry !== undefined) this.#entry.wrote(parseEntry(change.entry));
    if (change.find !== undefined) this.#find.wrote(change.find);
    this.#write(change, how);
  }

  /** Takes a new address; returns the parts of it that the page did not write itself. */
  comes({ entry, find, filterKey }: ReaderAddress): {
    isEntryNews: boolean;
    isFindNews: boolean;
    isOtherList: boolean;
  } {
    const isOtherList = filterKey !== this.#filterKey;
    this.#filterKey = filterKey;
    return { isEntryNews: this.#entry.comes(entry), isFindNews: this.#find.comes(find), isOtherList };
  }
}
