import { FeedHandle, type FeedList } from "#components/feed/feed-handle.ts";
import type { FoundPlace } from "#components/feed/places.ts";
import type { PageSearchChange } from "./address-bar.ts";
import type { ReadingPlace } from "./place.ts";
import { TraceReader } from "./trace-reader.ts";

/** Number of entries in view. */
const viewEntries = 5;

type Shown = {
  /** Seqs of the list's entries, by place. */
  seqs: readonly number[];
  /** Places of groups that are folded, first and last. */
  folded: [first: number, last: number][];
  /** Whether requested entries stay unloaded until the test answers. */
  isSlow: boolean;
  /** Whether only the server knows an entry's place. */
  isServerAsked: boolean;
  /** Places whose entries are not loaded yet. */
  unknown: Set<number>;
};

/** A list of entries without a page. Records calls, and loads entries when the test says so. */
export class TestList implements FeedList {
  readonly shown: Shown;
  top = 0;
  isAtEnd = false;
  /** The calls, in words. */
  readonly told: string[] = [];
  readonly prepared: number[] = [];
  readonly waiting: PromiseWithResolvers<unknown>[] = [];
  readonly lookups: (PromiseWithResolvers<FoundPlace> & { seq: number })[] = [];
  readonly errors: (PromiseWithResolvers<number | null> & { seq: number; direction: string })[] = [];
  focused: number | null = null;

  constructor(shown: Partial<Shown> = {}) {
    this.shown = {
      ...{ seqs: range(1, 1000), folded: [], isSlow: false, isServerAsked: false, unknown: new Set<number>() },
      ...shown,
    };
  }

  places = () => {
    const { seqs, isServerAsked, unknown } = this.shown;
    return {
      count: seqs.length,
      seqAt: (place: number) => (unknown.has(place) ? null : (seqs[place] ?? null)),
      find: (seq: number): FoundPlace | Promise<FoundPlace> => {
        if (!isServerAsked) return this.placeOf(seq);
        const lookup = { ...Promise.withResolvers<FoundPlace>(), seq };
        this.lookups.push(lookup);
        return lookup.promise;
      },
      shownFrom: this.shownFrom,
    };
  };

  /** An entry's place, as the server would answer. */
  placeOf(seq: number): FoundPlace {
    const { seqs } = this.shown;
    const index = seqs.findIndex((shown) => shown >= seq);
    return { index: Math.max(0, index === -1 ? seqs.length - 1 : index), isShown: seqs[index] === seq };
  }

  visible = () => ({ first: this.top, last: Math.min(this.top + viewEntries, this.shown.seqs.length) - 1 });

  scrollTo = (place: number, { align, within }: { align: string; within?: number }) => {
    this.told.push(within === undefined ? `${place} ${align}` : `${place} ${align} ${within}px`);
    this.isAtEnd = false;
    if (align !== "nearest") this.top = Math.max(0, place - (align === "start" ? 0 : align === "center" ? 2 : 4));
  };

  scrollToEnd = () => {
    this.told.push("end");
    this.isAtEnd = true;
    this.top = Math.max(0, this.shown.seqs.length - viewEntries);
  };

  prepare = (place: number) => {
    this.prepared.push(place);
    if (!this.shown.isSlow) return null;
    const entries = Promise.withResolvers<unknown>();
    this.waiting.push(entries);
    return entries.promise;
  };

  shownFrom = (place: number, direction: 1 | -1) => {
    const group = this.shown.folded.find(([first, last]) => place > first && place <= last);
    if (group === undefined) return place;
    return direction === 1 ? group[1] + 1 : group[0];
  };

  focusedPlace = () => this.focused;
  keyboard = () => (place: number | null) => void this.told.push(place === null ? "focus none" : `focus ${place}`);
  focusList = () => void this.told.push("focus list");

  findError = (seq: number, direction: "next" | "previous") => {
    const lookup = { ...Promise.withResolvers<number | null>(), seq, direction };
    this.errors.push(lookup);
    return lookup.promise;
  };

  /** Adds this many entries at the end. A reader at the end stays there. */
  grow(count: number): void {
    const last = this.shown.seqs.at(-1) ?? 0;
    Object.assign(this.shown, { seqs: [...this.shown.seqs, ...range(last + 1, count)] });
    if (this.isAtEnd) this.top = this.shown.seqs.length - viewEntries;
  }

  /** The calls since the last time this was called. */
  news(): string[] {
    return this.told.splice(0);
  }
}

/** A browser's history whose current entry the test sets. */
export class TestHistory {
  place: ReadingPlace | null = null;
  /** The filter in the browser's address, which may differ from that of the list still shown. */
  filterKey: string;
  readonly kept: ReadingPlace[] = [];

  constructor(filterKey: string) {
    this.filterKey = filterKey;
  }

  read = () => this.place;
  keep = (place: ReadingPlace, filterKey: string) => {
    if (filterKey !== this.filterKey) return;
    this.place = place;
    this.kept.push(place);
  };
}

type Start = { entry?: number | null; filterKey?: string; find?: string | null; list?: Partial<Shown> | null };

/** A reader with a list; the test controls the clock and the address. */
export function startReading({ entry = null, filterKey = "", find = null, list: shown = {} }: Start = {}) {
  const timers: { callback: () => void; ms: number }[] = [];
  const written: (PageSearchChange & { how: string })[] = [];
  const drawn: boolean[] = [];
  const history = new TestHistory(filterKey);
  const schedule = (callback: () => void, ms: number) => {
    const timer = { callback, ms };
    timers.push(timer);
    return () => {
      const at = timers.indexOf(timer);
      if (at !== -1) timers.splice(at, 1);
    };
  };
  const reader = new TraceReader({
    address: { entry, filterKey, find },
    history,
    write: (change, how) => void written.push({ ...change, how }),
    schedule,
  });
  const show = (next: TestList) => {
    const renderNow = (act: () => void) => {
      const before = next.told.length;
      act();
      drawn.push(next.told.length > before);
    };
    return reader.setFeed(new FeedHandle({ list: next, schedule, renderNow }));
  };
  const list = new TestList(shown ?? {});
  const remove = shown === null ? () => {} : show(list);
  return {
    ...{ reader, list, show, remove, written, timers, drawn, history },
    /** Runs the timers of at most this many ms. */
    pass: (ms: number) => {
      for (const timer of timers.filter((waiting) => waiting.ms <= ms)) {
        timers.splice(timers.indexOf(timer), 1);
        timer.callback();
      }
    },
    /** Sets the address. */
    address: (now: { entry: number | null; filterKey?: string; find?: string | null }) =>
      reader.navigated({ filterKey, find, ...now }),
    /** Scrolls this entry to the top of the view. */
    scroll: (seq: number) => {
      list.top = seq - 1;
      reader.places.noteScroll();
    },
  };
}

/** Resolves when all answers so far have been handled. */
export async function answered(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
}

/** This many whole numbers, from `first`. */
export function range(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}
