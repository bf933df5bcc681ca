import { needleOf } from "#components/trace/text/marks/find-text.ts";
import type { Finding, FindTarget } from "#components/trace/text/marks/sought.tsx";
import type { LogsFilter } from "#lib/client/filtered-log-queries.ts";
import type { FoundHits, HitsFrom } from "#lib/client/find-filtered.ts";
import { hitsPageSize, type Search } from "#lib/client/find-queries.ts";
import { besideInPage, type Cursor, type Direction, hasWrapped, pageBeside, rankOf } from "./find-cursor.ts";

/** A search in the run and where in it the reader is: the same object until something changes. */
export type FinderSnapshot = {
  isOpen: boolean;
  /** How often a key has called for it since it was opened, and whether what is typed next takes the place of the text. */
  calls: number;
  isFresh: boolean;
  /** As it is typed. */
  text: string;
  /** What is searched, and from which entry on; null while nothing is. */
  search: Search | null;
  /** What is known of that search; null until something is. */
  found: FoundHits | null;
  /** The hit of that search that the reader is at. */
  cursor: Cursor | null;
  /** Where the reader was led last, by whichever search. */
  target: FindTarget | null;
  /** The last step led past an end of the run. */
  wrapped: Direction | null;
  /** A step is being looked up. */
  isStepping: boolean;
  /** Why the search, or the last step in it, has failed. */
  error: Error | null;
  stepError: Error | null;
};

type FinderOptions = {
  /** Where the reader is, who leads them, and who keeps in the address what is looked for (a TraceReader). */
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
  /** What the address asks to look for, from which entry on. */
  initial: { find: string | null; entry: number | null };
  /** Calls back later; the result takes it back. */
  schedule?: (callback: () => void, ms: number) => () => void;
};

/** A pause in typing after which is searched. */
const TYPING_PAUSE_MS = 60;
/** Nothing longer is looked for. */
export const findCharactersMax = 200;

/**
 * Looks for a text in a run, and leads the reader from entry to entry that holds it. It knows neither the page nor React: what is
 * found comes by {@link answered}.
 */
export class TraceFinder implements Finding {
  readonly #options: Required<FinderOptions>;
  readonly #listeners = new Set<() => void>();
  #snapshot: FinderSnapshot;
  #filter: LogsFilter | null;
  #followed: FinderOptions["reader"]["snapshot"]["asked"];
  #stepping: AbortController | null = null;
  #typing: (() => void) | null = null;
  #told: { find: string | null; seq: number | null };
  #takeBackAddress = () => {};

  constructor(options: FinderOptions) {
    this.#options = { schedule: browserSchedule, ...options };
    const { filter, initial, reader } = options;
    const search = searchOf(initial.find ?? "", initial.entry ?? 1, filter);
    this.#filter = filter;
    this.#followed = reader.snapshot.asked;
    this.#told = { find: search?.q ?? null, seq: null };
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

  /** How many hits stand before the one that the reader is at; null while that is not known. */
  get rank(): number | null {
    const { cursor, found } = this.#snapshot;
    return cursor === null ? null : rankOf(cursor, ...(found === null ? [] : [found]));
  }

  /** Calls back after each change, until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Follows what the address asks for from now on; returns how to stop, which gives up what is under way. */
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

  /** Opens the search, with a text to look for where one is given. */
  open(text?: string): void {
    this.#set({ isOpen: true, ...(text === undefined ? {} : { text }) });
    if (text !== undefined) this.#begin(text);
    this.#goToFirst();
  }

  /** A key calls for the search: what it looks for may be typed over. */
  call(text?: string): void {
    this.open(text);
    this.#set({ calls: this.#snapshot.calls + 1, isFresh: true });
  }

  close(): void {
    this.#stepping?.abort();
    this.#set({ isOpen: false, calls: 0 });
  }

  /** The text is this now. It is looked for when the keys rest. */
  type(text: string): void {
    const before = this.#snapshot.text;
    this.#set({ text, isFresh: false });
    this.#typing?.();
    // What comes in one piece was pasted: nothing follows that would be worth waiting for.
    if (text.length > before.length + 1) this.#begin(text);
    else this.#typing = this.#options.schedule(() => this.#begin(text), TYPING_PAUSE_MS);
  }

  /** Other entries are shown: another search, from the hit that was shown. */
  setFilter(filter: LogsFilter | null): void {
    if (filter === this.#filter) return;
    this.#filter = filter;
    const { search, target } = this.#snapshot;
    this.#stepping?.abort();
    this.#set({ wrapped: null });
    if (search !== null) this.#look({ ...search, around: target?.seq ?? search.around, filter });
  }

  /** What is known of a search by now. The first hit of a new one is gone to as soon as there is one. */
  answered(search: Search, found: FoundHits | null, error: Error | null): void {
    if (search !== this.#snapshot.search) return;
    this.#set({ found, error });
    this.#goToFirst();
  }

  /** Goes to the hit beside the present one; past an end of the run to the other end. */
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
    // From the hit before while it is in view, so that more letters do not lead away from it; else from what is read.
    const { first, last } = this.#options.reader.visible;
    const before = this.#snapshot.target?.seq ?? 0;
    const around = before >= first && before <= last ? before : first;
    const search = searchOf(text, Math.max(1, around), this.#filter);
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
    // Where it is in view it may still be folded away.
    reader.goToSeq(seq, { align: seq >= first && seq <= last ? "nearest" : "center" });
  }

  #set(change: Partial<FinderSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change };
    const { isOpen, search, cursor } = this.#snapshot;
    const find = isOpen ? (search?.q ?? null) : null;
    const seq = isOpen ? (cursor?.hit.seq ?? null) : null;
    if (find !== this.#told.find || seq !== this.#told.seq) {
      this.#takeBackAddress();
      this.#told = { find, seq };
      this.#takeBackAddress = this.#options.reader.setFind(find, seq);
    }
    for (const listener of this.#listeners) listener();
  }
}

function browserSchedule(callback: () => void, ms: number): () => void {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}

function countOf({ complete, matching_logs }: FoundHits) {
  return { complete, matching: matching_logs };
}

function searchOf(text: string, around: number, filter: LogsFilter | null): Search | null {
  const q = text.slice(0, findCharactersMax).replaceAll("\u0000", "").toWellFormed();
  return q === "" ? null : { q, around, filter };
}
