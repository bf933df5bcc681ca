"use client";

import { type RefObject, useCallback, useEffect, useRef } from "react";
import type { ErrorDirection } from "#lib/client/outline-queries.ts";
import type { VirtualFeedHandle } from "./list/virtual-feed.tsx";

type FeedKeysOptions = {
  feed: RefObject<VirtualFeedHandle | null>;
  count: number;
  /** Nothing is listened to while the feed is not shown. */
  isShown: boolean;
  /** The seq of the nearest entry with an error after or before another one; null where there is none to go to. */
  findError: (seq: number, direction: ErrorDirection) => Promise<number | null>;
  /** The person wants to say which step to go to. */
  onAskStep: () => void;
  /** The person wants to see the keys. */
  onShowKeys: () => void;
};

/** How long a card may take to be loaded and still get the focus that was meant for it. */
const FOCUS_MS = 2000;

/**
 * j and k go to the next and the previous card, J and K to the next and the previous error, g and G to the first and the last
 * card; `:` asks for a step, `?` shows the keys. Not while typing or in a dialog. Gives the way to go to a card, by index.
 */
export function useFeedKeys(options: FeedKeysOptions): (index: number) => void {
  const { feed, count, isShown } = options;
  const frame = useRef(0);
  /** Where the keys led last: a card that is on its way cannot have the focus. */
  const target = useRef<number | null>(null);
  const asked = useRef(options);
  useEffect(() => {
    asked.current = options;
  });

  const go = useCallback(
    (index: number) => {
      const { current } = feed;
      if (current === null || count === 0) return;
      const next = Math.min(Math.max(0, index), count - 1);
      target.current = next;
      if (next === count - 1 && index >= count - 1) current.scrollToEnd();
      else current.scrollToIndex(next, { align: "start" });
      cancelAnimationFrame(frame.current);
      focusWhenThere(frame, next + 1, performance.now() + FOCUS_MS, document.activeElement);
    },
    [feed, count],
  );

  useEffect(() => {
    if (!isShown) return;
    const goToError = async (here: number, direction: ErrorDirection) => {
      const before = target.current;
      const seq = await asked.current.findError(here, direction);
      // Who has gone elsewhere in the meantime stays there.
      if (seq !== null && target.current === before) go(seq - 1);
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isForOthers(event.target)) return;
      const { current } = feed;
      if (current === null) return;
      const { first, last } = current.visibleRange();
      const isInView = (index: number | null) => index !== null && index >= first && index <= last;
      const here = [focusedIndex(), target.current].find(isInView) ?? null;
      if (event.key === "j") go(here === null ? first : here + 1);
      else if (event.key === "k") go(here === null ? Math.max(0, first - 1) : here - 1);
      else if (event.key === "J") void goToError(here === null ? first : here + 1, "next");
      else if (event.key === "K") void goToError((here ?? first) + 1, "previous");
      else if (event.key === "g") go(0);
      else if (event.key === "G") go(count - 1);
      else if (event.key === ":") asked.current.onAskStep();
      else if (event.key === "?") asked.current.onShowKeys();
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [feed, count, isShown, go]);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  return go;
}

/** The card is on the page once the list has rendered it, and takes the focus once its entry is loaded. */
function focusWhenThere(frame: { current: number }, seq: number, untilMs: number, focused: Element | null): void {
  frame.current = requestAnimationFrame(() => {
    const active = document.activeElement;
    // The focus has been moved elsewhere; the list itself takes it when the card that had it is gone.
    if (active !== focused && active !== document.body && active?.querySelector("[role=feed]") == null) return;
    const card = document.querySelector<HTMLElement>(`article[data-seq="${seq}"][tabindex]`);
    if (card !== null) card.focus({ preventScroll: true });
    else if (performance.now() < untilMs) focusWhenThere(frame, seq, untilMs, focused);
  });
}

/** Keys belong to the text being typed, to an open dialog and to trees, which take letters themselves. */
function isForOthers(target: EventTarget | null): boolean {
  const theirs = "input, textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox], [role=tree]";
  return (
    (target instanceof Element && target.closest(theirs) !== null) || document.querySelector("[role=dialog]") !== null
  );
}

function focusedIndex(): number | null {
  const card = document.activeElement?.closest<HTMLElement>("article[data-seq]");
  return card === null || card === undefined ? null : Number(card.dataset.seq) - 1;
}
