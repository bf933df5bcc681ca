"use client";

import { type RefObject, useCallback, useEffect, useMemo, useRef } from "react";
import { flushSync } from "react-dom";
import type { Groups } from "./group/use-groups.ts";
import type { Align } from "./list/feed-position.ts";
import type { FeedRange } from "./list/feed-range.ts";
import type { VirtualFeedHandle } from "./list/virtual-feed.tsx";
import type { FoundPlace, ListPlaces } from "./list-places.ts";

type GoToOptions = {
  list: RefObject<VirtualFeedHandle | null>;
  places: ListPlaces;
  groups: Groups;
  /** Asks for the entries around a place; null where the one there is at hand. */
  prepare: (place: number, around: FeedRange) => Promise<unknown> | null;
  /** The reader wants an entry that the list does not show. */
  onHidden: (seq: number) => void;
};

type HowToShow = {
  align?: Align;
  within?: number | undefined;
  takeFocus?: boolean;
  /** Called once: the list has been told to go there, or the reader goes elsewhere. */
  onThere?: () => void;
};

/** The ways through a list. */
export type GoTo = {
  /** Goes to a place and gives it the focus; below the first and above the last to those. */
  index: (index: number) => void;
  /** Goes to an entry, unfolded. */
  seq: (seq: number, how?: HowToShow) => void;
  /** Shows the surroundings of an entry, folded as they are. */
  near: (seq: number, align: Align) => void;
  /** Where the reader was led last: a card that is on its way cannot have the focus. */
  target: RefObject<number | null>;
  /** Where the reader is being led while the list still shows where he was; null for most of the time. */
  heading: RefObject<number | null>;
};

/** How long a card may take to be loaded and still get the focus that was meant for it. */
const FOCUS_MS = 2000;
/** What comes this soon is waited for, and rendered once instead of twice; later the list shows that it is on its way. */
const WAIT_MS = 100;
/** So many entries fill a view. */
const VIEW_ENTRIES = 10;
/** Above a place at the top of the view, so much of what comes before it may be seen. */
const ABOVE_ENTRIES = 2;

/** Goes to places and entries of a list. Who is asked to go elsewhere meanwhile forgets the first. */
export function useGoTo(options: GoToOptions): GoTo {
  const frame = useRef(0);
  const target = useRef<number | null>(null);
  const heading = useRef<number | null>(null);
  const journey = useRef(0);
  const asked = useRef(options);
  useEffect(() => {
    asked.current = options;
  });
  useEffect(() => () => cancelAnimationFrame(frame.current), []);

  const begin = useCallback(() => {
    journey.current += 1;
    heading.current = null;
    return journey.current;
  }, []);

  const arrive = useCallback(
    (place: number, align: Align, act: () => void, onThere?: () => void) => {
      const mine = begin();
      const done = () => {
        if (mine === journey.current) {
          heading.current = null;
          act();
        }
        onThere?.();
      };
      const above = align === "start" ? ABOVE_ENTRIES : align === "center" ? VIEW_ENTRIES >> 1 : VIEW_ENTRIES;
      const ready = asked.current.prepare(place, { first: place - above, last: place - above + VIEW_ENTRIES });
      if (ready === null) return done();
      heading.current = place;
      // What could not be read is told by the list itself.
      const wait = Promise.race([ready, new Promise((resolve) => setTimeout(resolve, WAIT_MS))]);
      // At once: the list has been moved already, and a frame before the cards are there would show nothing.
      void wait.then(() => flushSync(done));
    },
    [begin],
  );

  const index = useCallback(
    (wanted: number) => {
      const { list, places } = asked.current;
      if (list.current === null || places.count === 0) return;
      const next = Math.min(Math.max(0, wanted), places.count - 1);
      const isEnd = wanted >= places.count - 1;
      const focused = document.activeElement;
      target.current = next;
      arrive(next, isEnd ? "end" : "start", () => {
        if (isEnd) list.current?.scrollToEnd();
        else list.current?.scrollToIndex(next, { align: "start" });
        cancelAnimationFrame(frame.current);
        focusWhenThere(frame, next, performance.now() + FOCUS_MS, focused);
      });
    },
    [arrive],
  );

  const findThen = useCallback(
    (seq: number, act: (found: FoundPlace) => void, onElsewhere?: () => void) => {
      const mine = begin();
      const found = asked.current.places.find(seq);
      if (!(found instanceof Promise)) return act(found);
      found.then(
        (place) => (mine === journey.current ? act(place) : onElsewhere?.()),
        // The list itself shows that the server cannot be reached.
        () => onElsewhere?.(),
      );
    },
    [begin],
  );

  const seq = useCallback(
    (wanted: number, { align = "start", within, takeFocus = false, onThere }: HowToShow = {}) => {
      const toPlace = ({ index: place, isShown }: FoundPlace) => {
        if (!isShown) {
          asked.current.onHidden(wanted);
          onThere?.();
          return;
        }
        const focused = document.activeElement;
        target.current = place;
        const show = () => {
          const { list, groups } = asked.current;
          groups.reveal(place);
          list.current?.scrollToIndex(place, within === undefined ? { align } : { align, within });
          cancelAnimationFrame(frame.current);
          if (takeFocus) focusWhenThere(frame, place, performance.now() + FOCUS_MS, focused);
        };
        arrive(place, align, show, onThere);
      };
      findThen(wanted, toPlace, onThere);
    },
    [findThen, arrive],
  );

  const near = useCallback(
    (wanted: number, align: Align) =>
      findThen(wanted, ({ index: place }) => {
        const { list } = asked.current;
        arrive(place, align, () => {
          const { groups } = asked.current;
          const before = groups.shownFrom(place, -1);
          // Who steps on from the line of a folded group leaves it.
          const isThere = before < place && before === list.current?.visibleRange().first;
          list.current?.scrollToIndex(isThere ? groups.shownFrom(place, 1) : before, { align });
        });
      }),
    [findThen, arrive],
  );
  return useMemo(() => ({ index, seq, near, target, heading }), [index, seq, near]);
}

/** The card is on the page once the list has rendered it, and takes the focus once its entry is loaded. */
function focusWhenThere(frame: { current: number }, index: number, untilMs: number, focused: Element | null): void {
  frame.current = requestAnimationFrame(() => {
    const active = document.activeElement;
    // The focus has been moved elsewhere; the list itself takes it when the card that had it is gone.
    if (active !== focused && active !== document.body && active?.querySelector("[role=feed]") == null) return;
    const card = document.querySelector<HTMLElement>(`[data-index="${index}"][tabindex]`);
    if (card !== null) card.focus({ preventScroll: true });
    else if (performance.now() < untilMs) focusWhenThere(frame, index, untilMs, focused);
  });
}
