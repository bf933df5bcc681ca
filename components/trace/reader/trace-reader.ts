import type { FeedHandle, HowToShow, Journey } from "#components/feed/feed-handle.ts";
import type { Align } from "#components/feed/feed-position.ts";
import type { ErrorDirection } from "#lib/client/outline-queries.ts";
import { AddressBar, type ReaderAddress, type WriteAddress } from "./address-bar.ts";
import type { SeqRange } from "./place.ts";
import { ReaderState } from "./reader-state.ts";
import { type OpenedList, type ReaderHistory, ReadingPlaces } from "./reading-places.ts";
import { noTraceFilter, type TraceFilter } from "./trace-filter.ts";
import type { PageSearch, PageSearchChange } from "./use-page-search.ts";

export type TraceReaderOptions = {
  /** What the address says when the page opens. */
  address: ReaderAddress;
  history: ReaderHistory;
  /** What the address says then comes by {@link TraceReader.navigated}. */
  write: WriteAddress;
  /** Calls back later; the result takes it back. */
  schedule?: (callback: () => void, ms: number) => () => void;
};

/** The seq of the nearest error after or before an entry; null where there is none to go to. */
export type FindError = (seq: number, direction: ErrorDirection) => Promise<number | null>;

/** The address can wait until the step is shown: the whole page is rendered again when it changes. */
const MARK_MS = 300;
/** Browsers refuse a page that changes its address too often: a key held down changes it once. */
const FIND_RESTS_MS = 200;

/**
 * Where the reader of a run is, goes and has been led: what is marked in the address, which groups are open, what is hidden from
 * them. It names entries by seq, and knows neither the page nor React: the list that is shown is given by {@link setFeed}, the
 * address comes by {@link navigated} and goes out by `write`. Whoever goes elsewhere ends the journey that is under way.
 */
export class TraceReader extends ReaderState {
  readonly #options: Required<TraceReaderOptions>;
  readonly #bar: AddressBar;
  /** Where the reader is, as the browser's history keeps it, and where lists open. */
  readonly places: ReadingPlaces;
  #feed: FeedHandle | null = null;
  #seen: SeqRange = { first: 1, last: 0 };
  #cancelMark = () => {};

  constructor(options: TraceReaderOptions) {
    super(options.address.entry);
    this.#options = {
      schedule: (callback, ms) => {
        const timer = setTimeout(callback, ms);
        return () => clearTimeout(timer);
      },
      ...options,
    };
    const { address, write, history, schedule } = this.#options;
    this.#bar = new AddressBar(address, write);
    const filterKey = () => this.#bar.filterKey;
    this.places = new ReadingPlaces({ history, schedule, filterKey, visible: () => this.visible });
  }

  /** This list is shown from now on; returns how to say that it is gone, which ends what is under way in it. */
  setFeed(feed: FeedHandle): () => void {
    this.#feed?.leave();
    this.#feed = feed;
    return () => {
      feed.leave();
      if (this.#feed !== feed) return;
      this.#cancelMark();
      this.#feed = null;
    };
  }

  /** Whether a list is shown. */
  get hasList(): boolean {
    return this.#feed !== null;
  }

  /** The entries in view. While those that have come into view are on their way, the reader is where they were. */
  get visible(): SeqRange {
    const known = this.#feed?.visible ?? [];
    const [top] = known;
    if (top !== undefined) this.#seen = { first: top, last: known.at(-1) ?? top };
    return this.#seen;
  }

  /** The entry that keys speak of; null while it is not known. */
  get here(): number | null {
    return this.#feed?.here ?? null;
  }

  /** Goes to an entry, unfolded. Where the list does not show it, that is told by `snapshot.hidden`. Null without a list. */
  goToSeq(seq: number, how?: HowToShow): Journey | null {
    if (this.#feed === null) how?.onThere?.();
    const told = { onReveal: () => this.reveal(seq), onHidden: () => this.setHidden(seq) };
    return this.#feed?.goTo(seq, { ...how, ...told }) ?? null;
  }

  /** Whether the reader has gone nowhere else since. */
  isLast(journey: Journey | null): boolean {
    return journey !== null && this.#feed?.isLast(journey) === true;
  }

  /** Shows the surroundings of an entry, groups folded as they are. */
  pass(seq: number, align: Align = "start"): void {
    this.#feed?.pass(seq, align);
  }

  /** Goes to the next card or the one before. */
  step(direction: 1 | -1): void {
    this.#feed?.step(direction);
  }

  /** Goes to the first or the last card of the list. */
  toEdge(edge: "first" | "last"): void {
    this.#feed?.toEdge(edge);
  }

  /** Goes to the nearest error after or before where the reader is, as `find` gives it from a seq on. */
  async toError(direction: ErrorDirection, find: FindError): Promise<void> {
    const go = (seq: number) => void this.goToSeq(seq, { takeFocus: true });
    await this.#feed?.lookUp(direction, (seq) => find(seq, direction), go);
  }

  /** Shows the end of the list, which is then followed while it grows. */
  toEnd(): void {
    this.#feed?.toEnd();
  }

  /** Gives the keyboard to the list. */
  focus(): void {
    this.#feed?.focus();
  }

  /** Shows the steps at this one, from another view of the run too: an address to go back from. */
  open(seq: number): void {
    this.reveal(seq);
    this.#push({ tab: "trace", entry: String(seq) });
    this.goToSeq(seq);
  }

  /** A link by something else leads to this entry, which takes its place in the address; null: it leads nowhere. */
  resolveLink(seq: number | null): void {
    const link = { toolCallId: null };
    this.#bar.write(seq === null ? link : { ...link, entry: String(seq) }, "replace");
    if (seq === null) return;
    this.reveal(seq);
    this.goToSeq(seq, { align: "center" });
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
    this.#bar.write({ entry: String(seq) }, "replace");
  }

  /**
   * The address says this now. An entry that somebody else has put there (a link, going back) is brought into view; where it is in
   * view already nothing moves. Another filter is another list, which opens where it is told to.
   */
  navigated(address: ReaderAddress): void {
    const { entry, find } = address;
    const { isEntryNews, isFindNews, isOtherList } = this.#bar.comes(address);
    this.setMarked(entry);
    // What was seen was seen in the list before.
    if (isOtherList) this.places.forget();
    if (isFindNews) this.ask(find);
    if (!isEntryNews || entry === null) return;
    const feed = this.#feed;
    if (isOtherList || feed === null) this.reveal(entry);
    else if (!feed.visible.includes(entry)) this.goToSeq(entry, { align: "center" });
    else {
      feed.leave();
      this.reveal(entry);
    }
  }

  /** The list of the present filter does not show this entry, which was wanted; null: the reader has seen that. */
  setHidden(seq: number | null): void {
    this.hide(seq === null ? null : { seq, filterKey: this.#bar.filterKey });
  }

  /** Shows other entries; the address follows. */
  setFilter(filter: TraceFilter): void {
    this.#push({ filter });
  }

  /** Shows an entry among all entries. */
  showAmongAll(seq: number): void {
    this.reveal(seq);
    this.places.lead(seq);
    this.#push({ filter: noTraceFilter, entry: String(seq) });
  }

  /** Moves the first list, as it was drawn, to where the reader was when this entry of the history was left. */
  restore({ start }: OpenedList): void {
    const kept = this.#options.history.read();
    if (kept === null || kept === start) return;
    if (kept === "end") this.toEnd();
    else this.pass(kept === "start" ? 1 : kept);
  }

  /** Shows another view of the run. */
  showTab(tab: PageSearch["tab"]): void {
    this.#push({ tab, entry: null });
  }

  /**
   * Keeps in the address what is looked for, null while nothing is, and the hit that is shown, null to leave the entry as it is: once
   * the keys rest. Returns how to take that back.
   */
  setFind(find: string | null, seq: number | null): () => void {
    return this.#options.schedule(() => {
      const entry = seq ?? this.#bar.entry;
      if (this.#bar.says({ find, entry })) return;
      this.#bar.write(seq === null ? { find } : { find, entry: String(seq) }, "replace");
    }, FIND_RESTS_MS);
  }

  #push(change: PageSearchChange): void {
    this.places.keep();
    this.#bar.write(change, "push");
  }
}
