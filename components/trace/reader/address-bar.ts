import { type TraceFilter, writeTraceFilter } from "./trace-filter.ts";

/** Parts of a run's address that determine what is shown. */
export type PageSearch = {
  tab: "trace" | "changes" | "timeline" | "analysis" | "raw";
  entry: string | null;
  /** Search text in the run; null without a search. */
  find: string | null;
};

/** Parts of the address that can be changed. */
export type PageSearchChange = Partial<PageSearch> & {
  filter?: TraceFilter;
  /** The tool call to find, replaced by the entry it leads to. */
  toolCallId?: null;
};

/** Tabs in their order. */
export const tabs = ["trace", "changes", "timeline", "analysis", "raw"] as const satisfies PageSearch["tab"][];

/** Address of a run's page with these parts, without host and path. Default values are left out. */
export function searchOf(part: Partial<PageSearch>): string {
  return `?${changedSearch("", part)}`;
}

/** Query of an address with these parts changed; others are kept. Default values are left out. */
export function changedSearch(
  search: string,
  { tab, entry, find, filter, toolCallId }: PageSearchChange,
): URLSearchParams {
  const next = new URLSearchParams(search);
  if (tab === "trace") next.delete("tab");
  else if (tab !== undefined) next.set("tab", tab);
  if (entry === null) next.delete("entry");
  else if (entry !== undefined) next.set("entry", entry);
  if (find === null) next.delete("find");
  else if (find !== undefined) next.set("find", find);
  if (filter !== undefined) writeTraceFilter(next, filter);
  if (toolCallId === null) next.delete("toolCallId");
  return next;
}

/** Reads `?entry=`: a whole number from 1 on, else null. */
export function parseEntry(text: string | null | undefined): number | null {
  return text !== null && text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

/** Parts of the page's address that describe the reader's position. */
export type ReaderAddress = {
  /** The seq in `?entry=`, or null. */
  entry: number | null;
  /** The filter, as written by `traceFilterKey`; empty for all entries. */
  filterKey: string;
  /** The search text; null without a search. */
  find: string | null;
};

/** Changes the page's address. The change is reported back when the page has time. */
export type WriteAddress = (change: PageSearchChange, how: "push" | "replace") => void;

/** Writes and follows the page's address, and distinguishes its own changes from all others. */
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

  /** The filter in the address. */
  get filterKey(): string {
    return this.#filterKey;
  }

  /** Whether the address has this entry and this search text, or will have them shortly. */
  isWritten({ entry, find }: Pick<ReaderAddress, "entry" | "find">): boolean {
    return this.#entry.last === entry && this.#find.last === find;
  }

  /** The entry that the address names, or will name shortly. */
  get entry(): number | null {
    return this.#entry.last;
  }

  write(change: PageSearchChange, how: "push" | "replace"): void {
    if (change.entry !== undefined) this.#entry.wrote(parseEntry(change.entry));
    if (change.find !== undefined) this.#find.wrote(change.find);
    this.#write(change, how);
  }

  /** Takes a new address. Returns the parts of it that the page did not write itself. */
  receive({ entry, find, filterKey }: ReaderAddress): {
    isEntryNews: boolean;
    isFindNews: boolean;
    isOtherList: boolean;
  } {
    const isOtherList = filterKey !== this.#filterKey;
    this.#filterKey = filterKey;
    return { isEntryNews: this.#entry.receive(entry), isFindNews: this.#find.receive(find), isOtherList };
  }
}

/**
 * Distinguishes the page's own changes to a part of its address from all others. The address follows later, when the page has
 * time, and may skip values that follow each other closely.
 */
class ExpectedAddress<T extends string | number | null> {
  #known: T;
  #written: T[] = [];

  constructor(value: T) {
    this.#known = value;
  }

  /** The value the page wrote last, else the address's. */
  get last(): T {
    const { length } = this.#written;
    return length === 0 ? this.#known : (this.#written[length - 1] as T);
  }

  /** The page has written this value. */
  wrote(value: T): void {
    this.#written.push(value);
  }

  /** Takes the address's value. True if it is new: neither the previous one nor one that the page wrote. */
  receive(value: T): boolean {
    const place = this.#written.indexOf(value);
    const isNews = place === -1 && value !== this.#known;
    // Going back also ends the wait for values still on their way.
    this.#written = isNews ? [] : this.#written.slice(place + 1);
    this.#known = value;
    return isNews;
  }
}
