import type { FeedHandle, HowToShow, Jump } from "#components/feed/feed-handle.ts";
import type { Align } from "#components/feed/feed-position.ts";
import { callLater } from "#components/ui/call-later.ts";
import type { ErrorDirection } from "#lib/client/pages/filtered-log-queries.ts";
import type { PageSearch, PageSearchChange } from "./address-bar.ts";
import { AddressBar, type ReaderAddress, type WriteAddress } from "./address-bar.ts";
import type { SeqRange } from "./place.ts";
import { ReaderState } from "./reader-state.ts";
import { type OpenedList, type ReaderHistory, ReadingPlaces } from "./reading-places.ts";
import { noTraceFilter, type TraceFilter } from "./trace-filter.ts";

export type TraceReaderOptions = {
  /** The address when the page opens. */
  address: ReaderAddress;
  history: ReaderHistory;
  /** Writes to the address; its changes come back by {@link TraceReader.navigated}. */
  write: WriteAddress;
  /** Calls back later; the result cancels that. */
  schedule?: typeof callLater;
};

/** The seq of the nearest error after or before an entry; null if there is none. */
export type FindError = (seq: number, direction: ErrorDirection) => Promise<number | null>;

/** The address is written once the step is shown, because changing it renders the whole page again. */
const MARK_MS = 300;
/** Browsers limit how often a page may change its address; a key held down changes it only once. */
const FIND_RESTS_MS = 200;

/**
 * The reader's position in a run: the entries in view, the entry marked in the address, open groups, and the entry that the
 * filter hides. It names entries by seq and knows neither the page nor React: {@link setFeed} sets the shown list, {@link
 * navigated} takes the address, and `write` changes it. Each navigation ends the one in progress.
 */
export class TraceReader extends ReaderState {
  readonly #options: Required<TraceReaderOptions>;
  readonly #bar: AddressBar;
  /** The reader's place as stored in the browser's history, and where lists open. */
  readonly places: ReadingPlaces;
  #feed: FeedHandle | null = null;
  #seen: SeqRange = { first: 1, last: 0 };
  #cancelMark = () => {};

  constructor(options: TraceReaderOptions) {
    super(options.address.entry);
    this.#options = { schedule: callLater, ...options };
    const { address, write, history, schedule } = this.#options;
    this.#bar = new AddressBar(address, write);
    const filterKey = () => this.#bar.filterKey;
    this.places = new ReadingPlaces({ history, schedule, filterKey, visible: () => this.visible });
  }

  /** Sets the shown list. Returns a function that removes it and ends what is under way in it. */
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

  /** The entries in view; while those are still loading, the ones before. */
  get visible(): SeqRange {
    const known = this.#feed?.visible ?? [];
    const [top] = known;
    if (top !== undefined) this.#seen = { first: top, last: known.at(-1) ?? top };
    return this.#seen;
  }

  /** The entry that keys act on; null while unknown. */
  get here(): number | null {
    return this.#feed?.here ?? null;
  }

  /** Goes to an entry and opens its group. If the list does not show it, `snapshot.hidden` says so. Null without a list. */
  goToSeq(seq: number, how?: HowToShow): Jump | null {
    if (this.#feed === null) how?.onThere?.();
    const handlers = { onReveal: () => this.reveal(seq), onHidden: () => this.setHidden(seq) };
    return this.#feed?.goTo(seq, { ...how, ...handlers }) ?? null;
  }

  /** Whether this is still the last navigation. */
  isLast(journey: Jump | null): boolean {
    return journey !== null && this.#feed?.isLast(journey) === true;
  }

  /** Shows an entry's surroundings and leaves groups as they are. */
  showAround(seq: number, align: Align = "start"): void {
    this.#feed?.showAround(seq, align);
  }

  /** Goes to the next card or the one before. */
  step(direction: 1 | -1): void {
    this.#feed?.step(direction);
  }

  /** Goes to the first or the last card of the list. */
  toEdge(edge: "first" | "last"): void {
    this.#feed?.toEdge(edge);
  }

  /** Goes to the nearest error after or before the reader's entry; `find` looks it up by seq. */
  async toError(direction: ErrorDirection, find: FindError): Promise<void> {
    const go = (seq: number) => void this.goToSeq(seq, { takeFocus: true });
    await this.#feed?.lookUp(direction, (seq) => find(seq, direction), go);
  }

  /** Shows the end of the list and follows it while it grows. */
  toEnd(): void {
    this.#feed?.toEnd();
  }

  /** Moves the focus to the list. */
  focus(): void {
    this.#feed?.focus();
  }

  /** Shows the list of steps at this step, also from another view of the run, and adds an entry to the history. */
  open(seq: number): void {
    this.reveal(seq);
    this.#push({ tab: "trace", entry: String(seq) });
    this.goToSeq(seq);
  }

  /**
   * Resolves a link that names its step by a tool call id: goes to the entry, and writes its seq to the address in place of the id.
   * Null: nothing was found.
   */
  resolveLink(seq: number | null): void {
    const link = { toolCallId: null };
    this.#bar.write(seq === null ? link : { ...link, entry: String(seq) }, "replace");
    if (seq === null) return;
    this.reveal(seq);
    this.goToSeq(seq, { align: "center" });
  }

  /**
   * Names an entry in the address without going there. With `soon` the address is written once the step is shown; of several calls
   * only the last counts, and none once the list is gone or the browser is at another entry of its history.
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
   * Takes a new address. An entry that the page did not write there itself (a link, going back) is brought into view unless it
   * already is. With another filter the page shows another list, whose start {@link ReadingPlaces.next} decides.
   */
  navigated(address: ReaderAddress): void {
    const { entry, find } = address;
    const { isEntryNews, isFindNews, isOtherList } = this.#bar.receive(address);
    this.setMarked(entry);
    if (isEntryNews || isOtherList) this.#cancelMark();
    if (isOtherList) this.places.opened();
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

  /** The filter hides this requested entry; null once the reader has seen the notice. */
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
    this.places.openNextListAt(seq);
    this.#push({ filter: noTraceFilter, entry: String(seq) });
  }

  /** Moves the first list to where the reader left this entry of the history. */
  restore({ start }: OpenedList): void {
    const kept = this.#options.history.read();
    if (kept === null || kept === start) return;
    if (kept === "end") this.toEnd();
    else this.showAround(kept === "start" ? 1 : kept);
  }

  /** Shows another view of the run. */
  showTab(tab: PageSearch["tab"]): void {
    this.#push({ tab, entry: null });
  }

  /**
   * Writes the search text (null: none) and the shown hit (null: leave the entry as it is) to the address after a pause in
   * typing. Returns a function that cancels that.
   */
  setFind(find: string | null, seq: number | null): () => void {
    return this.#options.schedule(() => {
      const entry = seq ?? this.#bar.entry;
      if (this.#bar.isWritten({ find, entry })) return;
      this.#bar.write(seq === null ? { find } : { find, entry: String(seq) }, "replace");
    }, FIND_RESTS_MS);
  }

  #push(change: PageSearchChange): void {
    this.places.keep();
    this.#cancelMark();
    this.#bar.write(change, "push");
  }
}
