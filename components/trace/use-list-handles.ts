"use client";

import { type Ref, type RefObject, useImperativeHandle, useLayoutEffect, useRef } from "react";
import type { FeedRange } from "./list/feed-range.ts";
import type { VirtualFeedHandle } from "./list/virtual-feed.tsx";
import type { ListPlaces } from "./list-places.ts";
import type { GoTo } from "./use-go-to.ts";

type ListHandlesOptions = {
  /** A handle on the list of all entries, by seq - 1: whoever goes somewhere need not know what is shown of it. */
  ref: Ref<VirtualFeedHandle>;
  /** The same, leaving groups folded: for whoever passes by. What the list does not show is passed at its place. */
  passing: Ref<VirtualFeedHandle>;
  list: RefObject<VirtualFeedHandle | null>;
  places: ListPlaces;
  goTo: GoTo;
};

/** Gives those around the list handles that speak of the run's entries. */
export function useListHandles({ ref, passing, list, places, goTo }: ListHandlesOptions): void {
  const seqAt = useRef(places.seqAt);
  // With the commit: who looks when the cards have changed, in the next frame, must find what they are.
  useLayoutEffect(() => {
    seqAt.current = places.seqAt;
  });
  useImperativeHandle(ref, () => handleOn(list, seqAt, (index, how) => goTo.seq(index + 1, how)), [list, goTo]);
  useImperativeHandle(
    passing,
    () => handleOn(list, seqAt, (index, { align = "start" } = {}) => goTo.near(index + 1, align)),
    [list, goTo],
  );
}

function handleOn(
  list: RefObject<VirtualFeedHandle | null>,
  seqAt: RefObject<ListPlaces["seqAt"]>,
  scrollToIndex: VirtualFeedHandle["scrollToIndex"],
): VirtualFeedHandle {
  let seen = { first: 0, last: -1 };
  return {
    scrollToIndex,
    scrollToEnd: () => list.current?.scrollToEnd(),
    visibleRange: () => {
      // While what has come into view is on its way, the reader is where he was.
      seen = visibleEntries(list.current, seqAt.current) ?? seen;
      return seen;
    },
    focus: () => list.current?.focus(),
  };
}

/** The entries in view, by seq - 1; null where none of them is known. */
function visibleEntries(list: VirtualFeedHandle | null, seqAt: ListPlaces["seqAt"]): FeedRange | null {
  const { first, last } = list?.visibleRange() ?? { first: 0, last: -1 };
  const seqs = Array.from({ length: Math.max(0, last - first + 1) }, (_, place) => seqAt(first + place));
  const known = seqs.filter((seq) => seq !== null);
  const [top] = known;
  return top === undefined ? null : { first: top - 1, last: (known.at(-1) ?? top) - 1 };
}
