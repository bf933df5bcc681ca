import type { EntryGroup } from "#components/trace/group/entry-groups.ts";
import { allFolded, chooseGroup, type Folding, isGroupOpen, revealSeq } from "#components/trace/group/folding.ts";
import type { Align } from "#components/trace/list/feed-position.ts";
import type { PageSearchChange } from "#components/trace/use-page-search.ts";
import { ExpectedAddress } from "./expected-address.ts";
import { type HowToShow, type Journey, Journeys } from "./journeys.ts";
import type { ReaderList } from "./reader-list.ts";

/** The parts of the page's address that say where the reader is. */
export type ReaderAddress = {
  /** The seq that `?entry=` names, or null. */
  entry: number | null;
  /** Which entries are shown, as `traceFilterKey` writes it; empty for all. */
  filterKey: string;
};

/** The entries of which at least a part is in view, by seq; last < first while none was known yet. */
export type SeqRange = { first: number; last: number };

/** What the page shows of the reader's position: the same object until something changes. */
export type ReaderSnapshot = {
  folding: Folding;
  /** The entry that was wanted last and that the list of this filter does not show; null where there is none. */
  hidden: { seq: number; filterKey: string } | null;
};

export type TraceReaderOptions = {
  /** What the address says when the page opens. */
  address: ReaderAddress;
  /** Changes the page's address. What it says then comes by {@link TraceReader.navigated} when the page has time. */
  write: (change: PageSearchChange, how: "push" | "replace") => void;
  /** Calls back later; the result takes it back. */
  schedule?: (callback: () => void, ms: number) => () => void;
  /** Renders what `act` changes before it returns. */
  renderNow?: (act: () => void) => void;
};

/** The address can wait until the step is shown: the whole page is rendered again when it changes. */
const MARK_MS = 300;

/**
 * Where the reader of a run is, goes and has been led: what is marked in the address, which groups are open, what is hidden from
 * them. It names entries by seq, and knows neither the page nor React: the list that is shown is given by {@link setList}, the
 * address comes by {@link navigated} and goes out by `write`. Whoever goes elsewhere ends the journey that is under way.
 */
export class TraceReader {
  readonly #options: Required<TraceReaderOptions>;
  readonly #journeys: Journeys;
  readonly #expected: ExpectedAddress<number | null>;
  readonly #listeners = new Set<() => void>();
  #snapshot: ReaderSnapshot;
  #filterKey: string;
  #seen: SeqRange = { first: 1, last: 0 };
  #cancelMark = () => {};

  constructor(options: TraceReaderOptions) {
    this.#options = {
      schedule: (callback, ms) => {
        const timer = setTimeout(callback, ms);
        return () => clearTimeout(timer);
      },
      renderNow: (act) => act(),
      ...options,
    };
    const { entry, filterKey } = options.address;
    this.#expected = new ExpectedAddress(entry);
    this.#filterKey = filterKey;
    this.#snapshot = { folding: entry === null ? allFolded : revealSeq(allFolded, entry), hidden: null };
    this.#journeys = new Journeys({
      schedule: (callback, ms) => this.#options.schedule(callback, ms),
      renderNow: (act) => this.#options.renderNow(act),
      onReveal: (seq) => this.reveal(seq),
      onHidden: (seq) => this.setHidden(seq),
    });
  }

  get snapshot(): ReaderSnapshot {
    return this.#snapshot;
  }

  /** Calls back after each change, until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** This list is shown from now on; returns how to say that it is gone. What was under way in another one has ended. */
  setList(list: ReaderList): () => void {
    this.#journeys.setList(list);
    return () => {
      if (this.#journeys.list !== list) return;
      this.#cancelMark();
      this.#journeys.setList(null);
    };
  }

  /** Whether a list is shown. */
  get hasList(): boolean {
    return this.#journeys.list !== null;
  }

  /** The entries in view. While those that have come into view are on their way, the reader is where they were. */
  get visible(): SeqRange {
    const list = this.#journeys.list;
    if (list === null) return this.#seen;
    const { first, last } = list.visible();
    const { seqAt } = list.places();
    const seqs = Array.from({ length: Math.max(0, last - first + 1) }, (_, place) => seqAt(first + place));
    const known = seqs.filter((seq) => seq !== null);
    const [top] = known;
    if (top !== undefined) this.#seen = { first: top, last: known.at(-1) ?? top };
    return this.#seen;
  }

  /** The entry that keys speak of; null while it is not known. */
  get here(): number | null {
    return this.#journeys.hereSeq();
  }

  /** Goes to an entry, unfolded. Where the list does not show it, that is told by `snapshot.hidden`. */
  goToSeq(seq: number, how?: HowToShow): Journey {
    return this.#journeys.toSeq(seq, how);
  }

  /** Whether the reader has gone nowhere else since. */
  isLast(journey: Journey): boolean {
    return this.#journeys.isLast(journey);
  }

  /** Shows the surroundings of an entry, groups folded as they are. */
  pass(seq: number, align: Align = "start"): void {
    this.#journeys.pass(seq, align);
  }

  /** Goes to the next card or the one before. */
  step(direction: 1 | -1): void {
    this.#journeys.step(direction);
  }

  /** Goes to the first or the last card of the list. */
  toEdge(edge: "first" | "last"): void {
    this.#journeys.toEdge(edge);
  }

  /** Goes to the nearest error after or before where the reader is. */
  toError(direction: "next" | "previous"): Promise<void> {
    return this.#journeys.toError(direction);
  }

  /** Shows the end of the list, which is then followed while it grows. */
  toEnd(): void {
    this.#journeys.leave();
    this.#journeys.list?.scrollToEnd();
  }

  /** Gives the keyboard to the list. */
  focus(): void {
    this.#journeys.list?.takeKeyboard();
  }

  /** Shows the steps at this one, from another view of the run too: an address to go back from. */
  open(seq: number): void {
    this.#expected.wrote(seq);
    this.#options.write({ tab: "trace", entry: String(seq) }, "push");
    this.reveal(seq);
    this.goToSeq(seq);
  }

  /**
   * Names an entry in the address without going there: the address follows later, when the reader may be elsewhere. With `soon` it
   * is written once the step has been shown: only the last one of several, and none once the list is gone.
   */
  mark(seq: number, when: "now" | "soon" = "now"): void {
    this.#cancelMark();
    if (when === "soon") {
      this.#cancelMark = this.#options.schedule(() => this.mark(seq), MARK_MS);
      return;
    }
    this.#expected.wrote(seq);
    this.#options.write({ entry: String(seq) }, "replace");
  }

  /**
   * The address says this now. An entry that somebody else has put there (a link, going back) is brought into view; where it is in
   * view already nothing moves. Another filter is another list, which opens where it is told to.
   */
  navigated({ entry, filterKey }: ReaderAddress): void {
    const isNews = this.#expected.comes(entry);
    const isOtherList = filterKey !== this.#filterKey;
    this.#filterKey = filterKey;
    if (!isNews || entry === null) return;
    const list = this.#journeys.list;
    if (isOtherList || list === null) this.reveal(entry);
    else if (!isInView(list, entry)) this.goToSeq(entry, { align: "center" });
    else {
      this.#journeys.leave();
      this.reveal(entry);
    }
  }

  /** Opens the group that holds an entry, whether it is known yet or not. */
  reveal(seq: number): void {
    this.#fold(revealSeq(this.#snapshot.folding, seq));
  }

  /** Folds a group that is open, opens one that is folded. */
  toggle(group: EntryGroup): void {
    const { folding } = this.#snapshot;
    this.#fold(chooseGroup(folding, group, !isGroupOpen(folding, group)));
  }

  /** Folds all groups, or opens them where they are folded. */
  toggleAll(): void {
    this.#fold({ ...allFolded, areOpen: !this.#snapshot.folding.areOpen });
  }

  /** The list of the present filter does not show this entry, which was wanted; null: the reader has seen that. */
  setHidden(seq: number | null): void {
    this.#set({ hidden: seq === null ? null : { seq, filterKey: this.#filterKey } });
  }

  #fold(folding: Folding): void {
    if (folding !== this.#snapshot.folding) this.#set({ folding });
  }

  #set(change: Partial<ReaderSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** Whether the list shows the entry in its view; false where only the server could tell. */
function isInView(list: ReaderList, seq: number): boolean {
  const { first, last } = list.visible();
  const found = list.places().find(seq);
  return !(found instanceof Promise) && found.isShown && found.index >= first && found.index <= last;
}
