"use client";

import { type RefObject, useEffect, useRef } from "react";
import type { VirtualFeedHandle } from "./list/virtual-feed.tsx";

type FeedKeysOptions = {
  feed: RefObject<VirtualFeedHandle | null>;
  count: number;
  /** Nothing is listened to while the feed is not shown. */
  isShown: boolean;
};

/** j and k go to the next and the previous card, g and G to the first and the last. Not while typing or in a dialog. */
export function useFeedKeys({ feed, count, isShown }: FeedKeysOptions): void {
  const frame = useRef(0);
  useEffect(() => {
    if (!isShown) return;
    const go = (index: number) => {
      const { current } = feed;
      if (current === null || count === 0) return;
      const target = Math.min(Math.max(0, index), count - 1);
      if (target === count - 1 && index >= count - 1) current.scrollToEnd();
      else current.scrollToIndex(target, { align: "start" });
      // The card is on the page once the list has rendered it.
      cancelAnimationFrame(frame.current);
      frame.current = requestAnimationFrame(() => cardOf(target + 1)?.focus({ preventScroll: true }));
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isForOthers(event.target)) return;
      const { current } = feed;
      if (current === null) return;
      const focused = focusedIndex();
      const { first, last } = current.visibleRange();
      const isInView = focused !== null && focused >= first && focused <= last;
      if (event.key === "j") go(isInView ? focused + 1 : first);
      else if (event.key === "k") go(isInView ? focused - 1 : Math.max(0, first - 1));
      else if (event.key === "g") go(0);
      else if (event.key === "G") go(count - 1);
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => {
      document.removeEventListener("keydown", onKeyDown);
      cancelAnimationFrame(frame.current);
    };
  }, [feed, count, isShown]);
}

/** Keys belong to the text being typed, to an open dialog and to trees, which take letters themselves. */
function isForOthers(target: EventTarget | null): boolean {
  const theirs = "input, textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox], [role=tree]";
  return (
    (target instanceof Element && target.closest(theirs) !== null) || document.querySelector("[role=dialog]") !== null
  );
}

function cardOf(seq: number): HTMLElement | null {
  return document.querySelector<HTMLElement>(`article[data-seq="${seq}"]`);
}

function focusedIndex(): number | null {
  const card = document.activeElement?.closest<HTMLElement>("article[data-seq]");
  return card === null || card === undefined ? null : Number(card.dataset.seq) - 1;
}
