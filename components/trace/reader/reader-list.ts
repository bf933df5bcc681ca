import type { Align } from "#components/trace/list/feed-position.ts";
import type { FeedRange } from "#components/trace/list/feed-range.ts";
import type { ListPlaces } from "#components/trace/list-places.ts";
import type { ErrorDirection } from "#lib/client/outline-queries.ts";

/**
 * The list of entries on the page, as the {@link TraceReader} moves it. Only the reader and the list speak of places (from 0);
 * everybody else names entries by seq.
 */
export type ReaderList = {
  /** How many entries the list shows and where they stand, as of the last commit. */
  places: () => ListPlaces;
  /** The places of which at least a part is in view; last < first when there are none. */
  visible: () => FeedRange;
  /** Moves the list at once; `within` is in px below the top of the item. */
  scrollTo: (place: number, how: { align: Align; within?: number }) => void;
  scrollToEnd: () => void;
  /**
   * Asks for the entries around a place that the reader is about to be taken to. Resolves when the entry there has come; null
   * where it is at hand, or need not be waited for.
   */
  prepare: (place: number, around: FeedRange) => Promise<unknown> | null;
  /** The nearest place that shows something, from a place on in a direction: members of folded groups show nothing. */
  shownFrom: (place: number, direction: 1 | -1) => number;
  /** The place of the card that has the keyboard, or null. */
  focusedPlace: () => number | null;
  /**
   * Notes what has the keyboard now. The result gives it to the card at a place once that card is there, unless it has moved
   * elsewhere since; with null, whoever was to have it is forgotten.
   */
  keyboard: () => (place: number | null) => void;
  /** Gives the keyboard to the list itself. */
  takeKeyboard: () => void;
  /** The seq of the nearest error after or before an entry; null where there is none to go to. */
  findError: (seq: number, direction: ErrorDirection) => Promise<number | null>;
};
