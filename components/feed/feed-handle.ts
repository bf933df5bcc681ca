import type { callLater } from "#components/ui/call-later.ts";
import type { Align } from "./feed-position.ts";
import type { FeedRange } from "./feed-range.ts";
import type { FoundPlace, Places } from "./places.ts";

/** The list that the handle moves. Its items are numbered by place, from 0. */
export type FeedList = {
  /** The number of items and their places, as of the last commit. */
  places: () => Places;
  /** The places that are at least partly in view; last < first if there are none. */
  visible: () => FeedRange;
  /** Scrolls at once; `within` is in px below the top of the item. */
  scrollTo: (place: number, how: { align: Align; within?: number }) => void;
  scrollToEnd: () => void;
  /**
   * Loads the items around the target of a jump. Resolves when the item there is loaded; null if it already is, or need not be
   * awaited.
   */
  prepare: (place: number, around: FeedRange) => Promise<unknown> | null;
  /** The place of the focused item, or null. */
  focusedPlace: () => number | null;
  /**
   * Notes the focused element. The returned function focuses the item at a place as soon as it is rendered, unless the focus has
   * moved since; with null it cancels an earlier request.
   */
  keyboard: () => (place: number | null) => void;
  /** Focuses the list itself. */
  focusList: () => void;
};

/** Options for bringing an item into view. */
export type HowToShow = {
  align?: Align;
  /** Aligns the point this many px below the top of the item, instead of the item. */
  within?: number | undefined;
  /** Focuses the item once it is rendered. */
  takeFocus?: boolean;
  /** Called once, when the list has scrolled there or another jump replaces this one. */
  onThere?: () => void;
  /** Called just before the list scrolls. */
  onReveal?: () => void;
  /** Called if the list does not show the item. Nothing moves. */
  onHidden?: () => void;
};

/** One jump. It is over when the list has scrolled there or another one begins. */
export type Jump = { onThere: (() => void) | undefined; stopWaiting: () => void; isOver: boolean };

type FeedHandleOptions = {
  list: FeedList;
  /** Calls back later; the result cancels that. */
  schedule: typeof callLater;
  /** Renders what `act` changes before it returns. */
  renderNow: (act: () => void) => void;
};

/** Time to wait for a target to load, so that it is rendered once instead of twice. After that, placeholders are shown. */
const WAIT_MS = 100;
/** Typical number of items in a view. */
const VIEW_ITEMS = 10;
/** Number of items to load above a target at the top of the view. */
const ABOVE_ITEMS = 2;

/** Moves the reader through a feed and knows their position, in seqs. A new jump ends the one in progress. */
export class FeedHandle {
  readonly #options: FeedHandleOptions;
  readonly #list: FeedList;
  #last: Jump = { onThere: undefined, stopWaiting: () => {}, isOver: true };
  /** The last target: an item that is still loading cannot have the focus. */
  #target: number | null = null;
  /** The target of a jump that has not scrolled yet. */
  #heading: number | null = null;

  constructor(options: FeedHandleOptions) {
    this.#options = options;
    this.#list = options.list;
  }

  /** Whether no other journey has begun since this one. */
  isLast(journey: Jump): boolean {
    return this.#last === journey;
  }

  /** Ends the current journey, if any: the reader is elsewhere, or the list is gone. */
  leave(): void {
    this.#begin();
  }

  /** Goes to an item, unfolded. */
  goTo(seq: number, { align = "start", within, takeFocus = false, onThere, onReveal, onHidden }: HowToShow = {}): Jump {
    return this.#toFound(seq, onThere, ({ index: place, isShown }, journey) => {
      if (!isShown) {
        onHidden?.();
        return this.#end(journey);
      }
      const giveKeyboard = this.#list.keyboard();
      this.#target = place;
      this.#arrive(place, align, journey, () => {
        onReveal?.();
        this.#list.scrollTo(place, within === undefined ? { align } : { align, within });
        giveKeyboard(takeFocus ? place : null);
      });
    });
  }

  /**
   * Shows an item's surroundings and leaves groups as they are. If the list does not show the item, shows the place where it would
   * be.
   */
  showAround(seq: number, align: Align): Jump {
    return this.#toFound(seq, undefined, ({ index: place }, journey) =>
      this.#arrive(place, align, journey, () => {
        const before = this.#shownFrom(place, -1);
        // If the folded group's line is already at the top, moves on to the item after the group.
        const isThere = before < place && before === this.#list.visible().first;
        this.#list.scrollTo(isThere ? this.#shownFrom(place, 1) : before, { align });
      }),
    );
  }

  /** Goes to the next or previous item and focuses it. Skips items folded away. */
  step(direction: 1 | -1): void {
    const here = this.#herePlace();
    const { first } = this.#list.visible();
    const wanted = direction === 1 && here === null ? first : (here ?? first) + direction;
    this.#toPlace(this.#shownFrom(wanted, direction));
  }

  /** Goes to the first or the last item of the list and focuses it. */
  toEdge(edge: "first" | "last"): void {
    this.#toPlace(edge === "first" ? 0 : this.#list.places().count - 1);
  }

  /** Goes to the end of the list and follows it while it grows. */
  toEnd(): void {
    this.#begin();
    this.#list.scrollToEnd();
  }

  /** Looks up where to go from the reader's item, and goes there unless the reader has gone somewhere else in the meantime. */
  async lookUp(
    direction: "next" | "previous",
    find: (seq: number) => Promise<number | null>,
    go: (seq: number) => void,
  ): Promise<void> {
    const here = this.#herePlace();
    const from = this.#list.places().seqAt(here ?? this.#list.visible().first);
    if (from === null) return;
    const before = this.#last;
    // If no item is focused or targeted, the first one in view is a candidate too.
    const seq = await find(here === null && direction === "next" ? from - 1 : from);
    if (seq !== null && this.#last === before) go(seq);
  }

  /** The item that keys act on: the focused one, else the last target, else the first in view; null while unknown. */
  get here(): number | null {
    return this.#list.places().seqAt(this.#herePlace() ?? this.#list.visible().first);
  }

  /** The known items that are at least partly in view. */
  get visible(): number[] {
    const { first, last } = this.#list.visible();
    const { seqAt } = this.#list.places();
    const seqs = Array.from({ length: Math.max(0, last - first + 1) }, (_, place) => seqAt(first + place));
    return seqs.filter((seq) => seq !== null);
  }

  /** Focuses the list itself. */
  focus(): void {
    this.#list.focusList();
  }

  #shownFrom(place: number, direction: 1 | -1): number {
    return this.#list.places().shownFrom?.(place, direction) ?? place;
  }

  #herePlace(): number | null {
    const { first, last } = this.#list.visible();
    const isInView = (place: number | null) => place !== null && place >= first && place <= last;
    return this.#heading ?? [this.#list.focusedPlace(), this.#target].find(isInView) ?? null;
  }

  #toPlace(wanted: number): void {
    const { count } = this.#list.places();
    if (count === 0) return;
    const place = Math.min(Math.max(0, wanted), count - 1);
    const isEnd = wanted >= count - 1;
    const giveKeyboard = this.#list.keyboard();
    const journey = this.#begin();
    this.#target = place;
    this.#arrive(place, isEnd ? "end" : "start", journey, () => {
      if (isEnd) this.#list.scrollToEnd();
      else this.#list.scrollTo(place, { align: "start" });
      giveKeyboard(place);
    });
  }

  #begin(onThere?: () => void): Jump {
    const before = this.#last;
    this.#last = { onThere, stopWaiting: () => {}, isOver: false };
    this.#heading = null;
    this.#end(before);
    return this.#last;
  }

  #end(journey: Jump): void {
    const { onThere, stopWaiting } = journey;
    journey.isOver = true;
    journey.onThere = undefined;
    stopWaiting();
    onThere?.();
  }

  #toFound(seq: number, onThere: (() => void) | undefined, act: (found: FoundPlace, journey: Jump) => void): Jump {
    const journey = this.#begin(onThere);
    const found = this.#list.places().find(seq);
    if (!(found instanceof Promise)) act(found, journey);
    else
      found.then(
        (place) => {
          if (!journey.isOver) act(place, journey);
        },
        // The list itself shows the error.
        () => this.#end(journey),
      );
    return journey;
  }

  #arrive(place: number, align: Align, journey: Jump, act: () => void): void {
    const above = align === "start" ? ABOVE_ITEMS : align === "center" ? VIEW_ITEMS >> 1 : VIEW_ITEMS;
    const ready = this.#list.prepare(place, { first: place - above, last: place - above + VIEW_ITEMS });
    const done = () => {
      this.#heading = null;
      act();
      this.#end(journey);
    };
    if (ready === null) {
      done();
      return;
    }
    this.#heading = place;
    const arrive = () => {
      // At once: the list has scrolled, and a frame without the items would be blank.
      if (!journey.isOver) this.#options.renderNow(done);
    };
    journey.stopWaiting = this.#options.schedule(arrive, WAIT_MS);
    // The list itself shows an item that could not be loaded.
    ready.then(arrive, arrive);
  }
}
