import type { Finding, FindTarget } from "#components/text/marks/current-match.tsx";
import { needleOf } from "#components/text/marks/find-text.ts";
import { callLater } from "#components/ui/call-later.ts";
import type { LogsFilter } from "#lib/client/pages/filtered-log-queries.ts";
import type { FoundHits, HitsFrom } from "#lib/client/pages/find-filtered.ts";
import { hitsPageSize, type Search } from "#lib/client/pages/find-queries.ts";
import { cutText } from "#lib/cut-text.ts";
import { besideInPage, type Cursor, type Direction, hasWrapped, pageBeside, rankOf } from "./find-cursor.ts";

/** A search in the run and the reader's position in it. The object stays the same until something changes. */
export type FinderSnapshot = {
  isOpen: boolean;
  /** Number of times the search key was pressed since the search opened, and whether the next typed text replaces the old one. */
  calls: number;
  isFresh: boolean;
  /** The text as typed. */
  text: string;
  /** The current search and the entry it starts from; null if there is none. */
  search: Search | null;
  /** Result of the search so far; null before the first answer. */
  found: FoundHits | null;
  /** The reader's hit in that search. */
  cursor: Cursor | null;
  /** The last hit navigated to, in any search. */
  target: FindTarget | null;
  /** Direction in which the last step went past an end of the run, or null. */
  wrapped: Direction | null;
  /** Whether a step is being looked up. */
  isStepping: boolean;
  /** Error of the search or its last step. */
  error: Error | null;
  stepError: Error | null;
};

type FinderOptions = {
  /** Knows the reader's position, navigates, and stores the search in the address (a TraceReader). */
  reader: {
    visible: { first: number; last: number };
    goToSeq: (seq: number, how: { align: "nearest" | "center"; within?: number }) => unknown;
    setFind: (find: string | null, seq: number | null) => () => void;
    snapshot: { asked: { find: string | null } | null };
    subscribe: (listener: () => void) => () => void;
  };
  /** Reads consecutive hits of a search. */
  ask: (search: Search, from: HitsFrom, limit: number, signal: AbortSignal) => Promise<FoundHits>;
  /** Which entries are shown; null for all. */
  filter: LogsFilter | null;
  /** The search in the address, and the entry it starts from. */
  initial: { find: string | null; entry: number | null };
  /** Calls back later; the result cancels that. */
  schedule?: typeof callLater;
};

/** Pause in typing, in ms, after which the search starts. */
const TYPING_PAUSE_MS = 60;
/** Maximum length of the search text. */
export const findCharactersMax = 200;

/**
 * Searches a run and goes from hit to hit. Knows neither the page nor React: results come by {@link answered}.
 */
export class TraceFinder implements Finding {
  readonly #options: Required<FinderOptions>;
  readonly #listeners = new Set<() => void>();
  #snapshot: FinderSnapshot;
  #filter: LogsFilter | null;
  #followed: FinderOptions["reader"]["snapshot"]["asked"];
  #stepping: AbortController | null = null;
  #typing: (() => void) | null = null;
  #reported: { find: string | null; seq: number | null };
  #takeBackAddress = () => {};

  constructor(options: FinderOptions) {
    this.#options = { schedule: callLater, ...options };
    const { filter, initial, reader } = options;
    const search = searchFor(initial.find ?? "", initial.entry ?? 1, filter);
    this.#filter = filter;
    this.#followed = reader.snapshot.asked;
    this.#reported = { find: search?.q ?? null, seq: null };
    this.#snapshot = {
      ...{ isOpen: initial.find !== null, calls: 0, isFresh: false, text: initial.find ?? "", search },
      ...{ found: null, cursor: null, target: null, wrapped: null, isStepping: false, error: null, stepError: null },
    };
  }

  get snapshot(): FinderSnapshot {
    return this.#snapshot;
  }

  get target(): FindTarget | null {
    return this.#snapshot.target;
  }

  /** Number of hits before the reader's; null while unknown. */
  get rank(): number | null {
    const { cursor, found } = this.#snapshot;
    return cursor === null ? null : rankOf(cursor, ...(found === null ? [] : [found]));
  }

  /** Calls back after each change, until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Follows searches in the address. Returns a function that stops this and ends everything in progress. */
  connect(): () => void {
    const { reader } = this.#options;
    const stop = reader.subscribe(() => {
      const { asked } = reader.snapshot;
      if (asked === this.#followed) return;
      this.#followed = asked;
      if (asked === null || asked.find === null) this.close();
      else this.open(asked.find);
    });
    return () => {
      stop();
      this.#typing?.();
      this.#typing = null;
      this.#stepping?.abort();
      this.#takeBackAddress();
    };
  }

  /** Opens the search, with this text if one is given. */
  open(text?: string): void {
    this.#set({ isOpen: true, ...(text === undefined ? {} : { text }) });
    if (text !== undefined) this.#begin(text);
    this.#goToFirst();
  }

  /** To be called when the search key was pressed: the next typed text replaces the old one. */
  call(text?: string): void {
    this.open(text);
    this.#set({ calls: this.#snapshot.calls + 1, isFresh: true });
  }

  close(): void {
    this.#stepping?.abort();
    this.#set({ isOpen: false, calls: 0 });
  }

  /** Sets the text. The search starts after a pause in typing. */
  type(text: string): void {
    const before = this.#snapshot.text;
    this.#set({ text, isFresh: false });
    this.#typing?.();
    // Text that arrives in one piece was pasted, so there is no pause to wait for.
    if (text.length > before.length + 1) this.#begin(text);
    else this.#typing = this.#options.schedule(() => this.#begin(text), TYPING_PAUSE_MS);
  }

  /** To be called when the filter changed: searches again, starting from the current hit. */
  setFilter(filter: LogsFilter | null): void {
    if (filter === this.#filter) return;
    this.#filter = filter;
    const { search, target } = this.#snapshot;
    this.#stepping?.abort();
    this.#set({ wrapped: null });
    if (search !== null) this.#look({ ...search, around: target?.seq ?? search.around, filter });
  }

  /** Takes the result so far. Goes to the first hit of a new search as soon as there is one. */
  answered(search: Search, found: FoundHits | null, error: Error | null): void {
    if (search !== this.#snapshot.search) return;
    this.#set({ found, error });
    this.#goToFirst();
  }

  /** Goes to the next or previous hit; past an end of the run, to the other end. */
  async step(direction: Direction): Promise<void> {
    const { search, found, cursor, text } = this.#snapshot;
    if (this.#typing !== null && text !== search?.q) return this.#begin(text);
    if (search === null || cursor === null || found === null || this.#stepping?.signal.aborted === false) return;
    const { rank } = this;
    const beside = besideInPage(cursor, direction);
    const isAtLast = rank !== null && found.complete && rank + 1 >= found.matching_logs;
    const start = found.skip === 0 ? found.hits[0] : undefined;
    if (direction === "next" && isAtLast && start !== undefined) {
      this.#set({ wrapped: "next" });
      this.#goTo({ hit: start, page: found });
    } else if (beside !== null) {
      this.#set({ wrapped: null });
      this.#goTo({ ...cursor, hit: beside });
    } else await this.#stepByAsking(search, { cursor, found, rank }, direction);
  }

  /** Brings the place `within` px below the top of an entry's card into view. */
  showPlace(seq: number, within: number): void {
    this.#options.reader.goToSeq(seq, { align: "center", within });
  }

  async #stepByAsking(
    search: Search,
    { cursor, found, rank }: { cursor: Cursor; found: FoundHits; rank: number | null },
    direction: Direction,
  ): Promise<void> {
    const { ask } = this.#options;
    const { seq } = cursor.hit;
    const work = new AbortController();
    this.#stepping = work;
    this.#set({ isStepping: true, stepError: null });
    try {
      let wanted = pageBeside(seq, rank, countOf(found), direction, hitsPageSize);
      if (wanted === null) {
        const around = await ask(search, { around: seq }, 1, work.signal);
        wanted = pageBeside(seq, around.skip, countOf(around), direction, hitsPageSize);
      }
      const page = wanted && (await ask(search, wanted.from, wanted.limit, work.signal));
      const hit = wanted?.last ? page?.hits.at(-1) : page?.hits[0];
      if (!page || hit === undefined || work.signal.aborted) return;
      this.#set({ wrapped: hasWrapped(seq, hit.seq, direction) ? direction : null });
      this.#goTo({ hit, page });
    } catch (error) {
      if (!work.signal.aborted) this.#set({ stepError: error instanceof Error ? error : new Error(String(error)) });
    } finally {
      if (this.#stepping === work) {
        this.#stepping = null;
        this.#set({ isStepping: false });
      }
    }
  }

  #begin(text: string): void {
    this.#typing?.();
    this.#typing = null;
    this.#stepping?.abort();
    this.#stepping = null;
    this.#set({ isStepping: false, wrapped: null, stepError: null });
    // Starts from the previous hit while that is in view, so that typing more letters does not lead away from it; otherwise from
    // the entry being read.
    const { first, last } = this.#options.reader.visible;
    const before = this.#snapshot.target?.seq ?? 0;
    const around = before >= first && before <= last ? before : first;
    const search = searchFor(text, Math.max(1, around), this.#filter);
    if (search?.q !== this.#snapshot.search?.q) this.#look(search);
  }

  #look(search: Search | null): void {
    this.#set({ search, found: null, cursor: null, error: null });
  }

  #goToFirst(): void {
    const { isOpen, cursor, found } = this.#snapshot;
    const hit = found?.hits[0];
    if (isOpen && cursor === null && found !== null && hit !== undefined) this.#goTo({ hit, page: found });
  }

  #goTo(cursor: Cursor): void {
    const { reader } = this.#options;
    const { seq } = cursor.hit;
    this.#set({ cursor, target: { seq, needle: needleOf(this.#snapshot.search?.q ?? ""), at: null } });
    const { first, last } = reader.visible;
    // An entry in view may still be folded away.
    reader.goToSeq(seq, { align: seq >= first && seq <= last ? "nearest" : "center" });
  }

  #set(change: Partial<FinderSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change };
    const { isOpen, search, cursor } = this.#snapshot;
    const find = isOpen ? (search?.q ?? null) : null;
    const seq = isOpen ? (cursor?.hit.seq ?? null) : null;
    if (find !== this.#reported.find || seq !== this.#reported.seq) {
      this.#takeBackAddress();
      this.#reported = { find, seq };
      this.#takeBackAddress = this.#options.reader.setFind(find, seq);
    }
    for (const listener of this.#listeners) listener();
  }
}

function countOf({ complete, matching_logs }: FoundHits) {
  return { complete, matching: matching_logs };
}

function searchFor(text: string, around: number, filter: LogsFilter | null): Search | null {
  const q = cutText(text.replaceAll("\u0000", ""), findCharactersMax);
  return q === "" ? null : { q, around, filter };
}
