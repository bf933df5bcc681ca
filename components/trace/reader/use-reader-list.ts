"use client";

import { type RefObject, useLayoutEffect, useRef } from "react";
import type { VirtualFeedHandle } from "#components/trace/list/virtual-feed.tsx";
import type { ListPlaces } from "#components/trace/list-places.ts";
import { FocusWhenThere } from "./focus-when-there.ts";
import type { ReaderList } from "./reader-list.ts";
import type { TraceReader } from "./trace-reader.ts";

/** What a list tells of itself, beside where it is scrolled to. */
type ListParts = { places: ListPlaces } & Pick<ReaderList, "prepare" | "shownFrom" | "findError">;

/** Gives the reader the list that is shown, as long as it is. */
export function useReaderList(reader: TraceReader, feed: RefObject<VirtualFeedHandle | null>, parts: ListParts): void {
  const now = useRef(parts);
  // With the commit: who looks when the cards have changed, in the next frame, must find what they are.
  useLayoutEffect(() => {
    now.current = parts;
  });
  useLayoutEffect(() => {
    const focus = new FocusWhenThere();
    const remove = reader.setList({
      places: () => now.current.places,
      visible: () => feed.current?.visibleRange() ?? { first: 0, last: -1 },
      scrollTo: (place, how) => feed.current?.scrollToIndex(place, how),
      scrollToEnd: () => feed.current?.scrollToEnd(),
      takeKeyboard: () => feed.current?.focus(),
      prepare: (place, around) => now.current.prepare(place, around),
      shownFrom: (place, direction) => now.current.shownFrom(place, direction),
      findError: (seq, direction) => now.current.findError(seq, direction),
      focusedPlace,
      keyboard: () => focus.from(document.activeElement),
    });
    return () => {
      focus.forget();
      remove();
    };
  }, [reader, feed]);
}

function focusedPlace(): number | null {
  const card = document.activeElement?.closest<HTMLElement>("[data-index]");
  return card === null || card === undefined ? null : Number(card.dataset.index);
}
