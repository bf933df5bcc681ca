import type { Align } from "#components/trace/list/feed-position.ts";
import type { FeedRange } from "#components/trace/list/feed-range.ts";
import type { FoundPlace } from "#components/trace/list-places.ts";
import type { ErrorDirection } from "#lib/client/outline-queries.ts";
import type { ReaderList } from "./reader-list.ts";

/** How an entry is brought into view. */
export type HowToShow = {
  align?: Align;
  /** In px: this place below the top of the entry's card is aligned, not the card. */
  within?: number | undefined;
  /** Its card gets the keyboard once it is there. */
  takeFocus?: boolean;
  /** Called once: the list has been told to go there, or the reader goes elsewhere. */
  onThere?: () => void;
};

/** One way to one place. It is over when the list has been told to go there, and when another one begins. */
export type Journey = { onThere: (() => void) | undefined; stopWaiting: () => void; isOver: boolean };

type JourneysOptions = {
  /** Calls back later; the result takes it back. */
  schedule: (callback: () => void, ms: number) => () => void;
  /** Renders what `act` changes before it returns. */
  renderNow: (act: () => void) => void;
  /** The entry is gone to: a group that holds it opens. */
  onReveal: (seq: number) => void;
  /** The entry that is wanted is none of the list's. */
  onHidden: (seq: number) => void;
};

/** What comes this soon is waited for, and rendered once instead of twice; later the list shows that it is on its way. */
const WAIT_MS = 100;
/** So many entries fill a view. */
const VIEW_ENTRIES = 10;
/** Above a place at the top of the view, so much of what comes before it may be seen. */
const ABOVE_ENTRIES = 2;

/** Takes the reader from place to place in the list that is shown. There is one journey at a time: a new one ends the last. */
export class Journeys {
  readonly #options: JourneysOptions;
  #list: ReaderList | null = null;
  #last: Journey = { onThere: undefined, stopWaiting: () => {}, isOver: true };
  /** Where the reader was led last: a card that is on its way cannot have the keyboard. */
  #target: number | null = null;
  /** Where the reader is being led while the list still shows where they were. */
  #heading: number | null = null;

  constructor(options: JourneysOptions) {
    this.#options = options;
  }

  get list(): ReaderList | null {
    return this.#list;
  }

  /** Another list is shown, or none: no journey goes on in it that began in the one before. */
  setList(list: ReaderList | null): void {
    this.#begin();
    this.#target = null;
    this.#list = list;
  }

  /** Whether no other journey has begun since this one. */
  isLast(journey: Journey): boolean {
    return this.#last === journey;
  }

  /** Ends the journey that is under way, where there is one: the reader is somewhere else. */
  leave(): void {
    this.#begin();
  }

  /** Goes to an entry, unfolded. */
  toSeq(seq: number, { align = "start", within, takeFocus = false, onThere }: HowToShow = {}): Journey {
    return this.#toFound(seq, onThere, (list, { index: place, isShown }, journey) => {
      if (!isShown) {
        this.#options.onHidden(seq);
        return this.#end(journey);
      }
      const giveKeyboard = list.keyboard();
      this.#target = place;
      this.#arrive(list, place, align, journey, () => {
        this.#options.onReveal(seq);
        list.scrollTo(place, within === undefined ? { align } : { align, within });
        giveKeyboard(takeFocus ? place : null);
      });
    });
  }

  /** Shows the surroundings of an entry, groups folded as they are; of one that the list does not show, those of its place. */
  pass(seq: number, align: Align): Journey {
    return this.#toFound(seq, undefined, (list, { index: place }, journey) =>
      this.#arrive(list, place, align, journey, () => {
        const before = list.shownFrom(place, -1);
        // Who steps on from the line of a folded group leaves it.
        const isThere = before < place && before === list.visible().first;
        list.scrollTo(isThere ? list.shownFrom(place, 1) : before, { align });
      }),
    );
  }

  /** Goes to the next card or the one before, and gives it the keyboard; members of folded groups are passed over. */
  step(direction: 1 | -1): void {
    const list = this.#list;
    if (list === null) return;
    const here = this.#herePlace(list);
    const { first } = list.visible();
    const wanted = direction === 1 && here === null ? first : (here ?? first) + direction;
    this.#toPlace(list, list.shownFrom(wanted, direction));
  }

  /** Goes to the first or the last card of the list, and gives it the keyboard. */
  toEdge(edge: "first" | "last"): void {
    const list = this.#list;
    if (list !== null) this.#toPlace(list, edge === "first" ? 0 : list.places().count - 1);
  }

  /** Goes to the nearest error from where the reader is. Who has gone elsewhere while it was looked up stays there. */
  async toError(direction: ErrorDirection): Promise<void> {
    const list = this.#list;
    if (list === null) return;
    const here = this.#herePlace(list);
    const from = list.places().seqAt(here ?? list.visible().first);
    if (from === null) return;
    const before = this.#last;
    // From nowhere in particular, the first one in view counts too.
    const seq = await list.findError(here === null && direction === "next" ? from - 1 : from, direction);
    if (seq !== null && this.#last === before) this.toSeq(seq, { takeFocus: true });
  }

  /** The entry that keys speak of: the one that has the keyboard or was gone to, else the first in view; null while unknown. */
  hereSeq(): number | null {
    const list = this.#list;
    return list === null ? null : list.places().seqAt(this.#herePlace(list) ?? list.visible().first);
  }

  #herePlace(list: ReaderList): number | null {
    const { first, last }: FeedRange = list.visible();
    const isInView = (place: number | null) => place !== null && place >= first && place <= last;
    return this.#heading ?? [list.focusedPlace(), this.#target].find(isInView) ?? null;
  }

  #toPlace(list: ReaderList, wanted: number): void {
    const { count } = list.places();
    if (count === 0) return;
    const place = Math.min(Math.max(0, wanted), count - 1);
    const isEnd = wanted >= count - 1;
    const giveKeyboard = list.keyboard();
    const journey = this.#begin();
    this.#target = place;
    this.#arrive(list, place, isEnd ? "end" : "start", journey, () => {
      if (isEnd) list.scrollToEnd();
      else list.scrollTo(place, { align: "start" });
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
    act: (list: ReaderList, found: FoundPlace, journey: Journey) => void,
  ): Journey {
    const journey = this.#begin(onThere);
    const list = this.#list;
    const found = list?.places().find(seq);
    if (list === null || found === undefined) this.#end(journey);
    else if (!(found instanceof Promise)) act(list, found, journey);
    else
      found.then(
        (place) => {
          if (!journey.isOver) act(list, place, journey);
        },
        // The list itself shows that the server cannot be reached.
        () => this.#end(journey),
      );
    return journey;
  }

  #arrive(list: ReaderList, place: number, align: Align, journey: Journey, act: () => void): void {
    const above = align === "start" ? ABOVE_ENTRIES : align === "center" ? VIEW_ENTRIES >> 1 : VIEW_ENTRIES;
    const ready = list.prepare(place, { first: place - above, last: place - above + VIEW_ENTRIES });
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
      // At once: the list has been moved already, and a frame before the cards are there would show nothing.
      if (!journey.isOver) this.#options.renderNow(done);
    };
    journey.stopWaiting = this.#options.schedule(arrive, WAIT_MS);
    // What could not be read is told by the list itself.
    ready.then(arrive, arrive);
  }
}
