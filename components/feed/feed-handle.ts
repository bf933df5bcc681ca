import type { Align } from "./feed-position.ts";
import type { FeedRange } from "./feed-range.ts";
import type { FoundPlace, Places } from "./places.ts";

/** The list on the page, as the handle moves it: in places, from 0. */
export type FeedList = {
  /** How many items there are and where they stand, as of the last commit. */
  places: () => Places;
  /** The places of which at least a part is in view; last < first when there are none. */
  visible: () => FeedRange;
  /** Moves the list at once; `within` is in px below the top of the item. */
  scrollTo: (place: number, how: { align: Align; within?: number }) => void;
  scrollToEnd: () => void;
  /**
   * Asks for the items around a place that the reader is about to be taken to. Resolves when the item there has come; null where it
   * is at hand, or need not be waited for.
   */
  prepare: (place: number, around: FeedRange) => Promise<unknown> | null;
  /** The place of the item that has the keyboard, or null. */
  focusedPlace: () => number | null;
  /**
   * Notes what has the keyboard now. The result gives it to the item at a place once that item is there, unless it has moved
   * elsewhere since; with null, whoever was to have it is forgotten.
   */
  keyboard: () => (place: number | null) => void;
  /** Gives the keyboard to the list itself. */
  takeKeyboard: () => void;
};

/** How an item is brought into view. */
export type HowToShow = {
  align?: Align;
  /** In px: this place below the top of the item is aligned, not the item. */
  within?: number | undefined;
  /** It gets the keyboard once it is there. */
  takeFocus?: boolean;
  /** Called once: the list has been told to go there, or the reader goes elsewhere. */
  onThere?: () => void;
  /** Called just before the list is told to go there. */
  onReveal?: () => void;
  /** Called where the list does not show the item: nothing moves. */
  onHidden?: () => void;
};

/** One way to one place. It is over when the list has been told to go there, and when another one begins. */
export type Journey = { onThere: (() => void) | undefined; stopWaiting: () => void; isOver: boolean };

type FeedHandleOptions = {
  list: FeedList;
  /** Calls back later; the result takes it back. */
  schedule: (callback: () => void, ms: number) => () => void;
  /** Renders what `act` changes before it returns. */
  renderNow: (act: () => void) => void;
};

/** What comes this soon is waited for, and rendered once instead of twice; later the list shows that it is on its way. */
const WAIT_MS = 100;
/** So many items fill a view. */
const VIEW_ITEMS = 10;
/** Above a place at the top of the view, so much of what comes before it may be seen. */
const ABOVE_ITEMS = 2;

/**
 * What a page may ask of a feed, in seqs: to take the reader from item to item, and where they are. There is one journey at a time:
 * a new one ends the last.
 */
export class FeedHandle {
  readonly #options: FeedHandleOptions;
  readonly #list: FeedList;
  #last: Journey = { onThere: undefined, stopWaiting: () => {}, isOver: true };
  /** Where the reader was led last: an item that is on its way cannot have the keyboard. */
  #target: number | null = null;
  /** Where the reader is being led while the list still shows where they were. */
  #heading: number | null = null;

  constructor(options: FeedHandleOptions) {
    this.#options = options;
    this.#list = options.list;
  }

  /** Whether no other journey has begun since this one. */
  isLast(journey: Journey): boolean {
    return this.#last === journey;
  }

  /** Ends the journey that is under way, where there is one: the reader is somewhere else, or the list is gone. */
  leave(): void {
    this.#begin();
  }

  /** Goes to an item, unfolded. */
  goTo(
    seq: number,
    { align = "start", within, takeFocus = false, onThere, onReveal, onHidden }: HowToShow = {},
  ): Journey {
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

  /** Shows the surroundings of an item, groups folded as they are; of one that the list does not show, those of its place. */
  pass(seq: number, align: Align): Journey {
    return this.#toFound(seq, undefined, ({ index: place }, journey) =>
      this.#arrive(place, align, journey, () => {
        const before = this.#shownFrom(place, -1);
        // Who steps on from the line of a folded group leaves it.
        const isThere = before < place && before === this.#list.visible().first;
        this.#list.scrollTo(isThere ? this.#shownFrom(place, 1) : before, { align });
      }),
    );
  }

  /** Goes to the next item or the one before, and gives it the keyboard; what is folded away is passed over. */
  step(direction: 1 | -1): void {
    const here = this.#herePlace();
    const { first } = this.#list.visible();
    const wanted = direction === 1 && here === null ? first : (here ?? first) + direction;
    this.#toPlace(this.#shownFrom(wanted, direction));
  }

  /** Goes to the first or the last item of the list, and gives it the keyboard. */
  toEdge(edge: "first" | "last"): void {
    this.#toPlace(edge === "first" ? 0 : this.#list.places().count - 1);
  }

  /** Shows the end of the list, which is then followed while it grows. */
  toEnd(): void {
    this.#begin();
    this.#list.scrollToEnd();
  }

  /** Looks up where to go from where the reader is, and goes there. Who has gone elsewhere meanwhile stays there. */
  async lookUp(
    direction: "next" | "previous",
    find: (seq: number) => Promise<number | null>,
    go: (seq: number) => void,
  ): Promise<void> {
    const here = this.#herePlace();
    const from = this.#list.places().seqAt(here ?? this.#list.visible().first);
    if (from === null) return;
    const before = this.#last;
    // From nowhere in particular, the first one in view counts too.
    const seq = await find(here === null && direction === "next" ? from - 1 : from);
    if (seq !== null && this.#last === before) go(seq);
  }

  /** The item that keys speak of: the one that has the keyboard or was gone to, else the first in view; null while unknown. */
  get here(): number | null {
    return this.#list.places().seqAt(this.#herePlace() ?? this.#list.visible().first);
  }

  /** The items of which at least a part is in view, as far as they are known. */
  get visible(): number[] {
    const { first, last } = this.#list.visible();
    const { seqAt } = this.#list.places();
    const seqs = Array.from({ length: Math.max(0, last - first + 1) }, (_, place) => seqAt(first + place));
    return seqs.filter((seq) => seq !== null);
  }

  /** Gives the keyboard to the list itself. */
  focus(): void {
    this.#list.takeKeyboard();
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

  #begin(onThere?: () => void): Journey {
    const before = this.#last;
    this.#last = { onThere, stopWaiting: () => {}, isOver: false };
    this.#heading = null;
    this.#end(before);
    return this.#last;
  }

  #end(journey: Journey): void {
    const { onThere, stopWaiting } = journey;
    journey.isOver = true;
    journey.onThere = undefined;
    stopWaiting();
    onThere?.();
  }

  #toFound(
    seq: number,
    onThere: (() => void) | undefined,
    act: (found: FoundPlace, journey: Journey) => void,
  ): Journey {
    const journey = this.#begin(onThere);
    const found = this.#list.places().find(seq);
    if (!(found instanceof Promise)) act(found, journey);
    else
      found.then(
        (place) => {
          if (!journey.isOver) act(place, journey);
        },
        // The list itself shows that the server cannot be reached.
        () => this.#end(journey),
      );
    return journey;
  }

  #arrive(place: number, align: Align, journey: Journey, act: () => void): void {
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
      // At once: the list has been moved already, and a frame before the items are there would show nothing.
      if (!journey.isOver) this.#options.renderNow(done);
    };
    journey.stopWaiting = this.#options.schedule(arrive, WAIT_MS);
    // What could not be read is told by the list itself.
    ready.then(arrive, arrive);
  }
}
