"use client";

import { useCallback, useMemo, useState } from "react";
import type { FeedRange } from "#components/trace/list/feed-range.ts";
import { windowSize, windowStart } from "#components/trace/log-windows.ts";
import type { LogEntry } from "#lib/contract/entry.ts";
import { type EntryGroup, groupAround, groupsIn } from "./entry-groups.ts";
import { type Folding, isGroupOpen } from "./folding.ts";

type GroupsOptions = {
  entryAt: (index: number) => LogEntry | null;
  count: number;
  folding: Folding;
  /** Without it there are no groups. */
  isEnabled: boolean;
};

/** The groups of the entries that are at hand. */
export type Groups = {
  /** The group that a place belongs to, and whether it is open; null for a card of its own. */
  groupAt: (index: number) => { group: EntryGroup; isOpen: boolean } | null;
  /** The nearest place that shows something, from a place on in a direction. */
  shownFrom: (index: number, direction: 1 | -1) => number;
  /** To be told which items are rendered. */
  onRangeChange: (range: FeedRange) => void;
};

/**
 * Groups end at the edges of windows, so each is decided by what is loaded at once and never changes by what comes beside it.
 * What comes live is not folded away under the reader's eyes: it joins groups when it is out of sight.
 */
export function useGroups({ entryAt, count, folding, isEnabled }: GroupsOptions): Groups {
  const [settled, setSettled] = useState(count);
  const groupsOf = useMemo(() => {
    const known = new Map<number, EntryGroup[]>();
    return (start: number): EntryGroup[] => {
      const before = known.get(start);
      if (before !== undefined) return before;
      const size = Math.max(0, Math.min(windowSize, settled - start));
      const entries = Array.from({ length: size }, (_, place) => entryAt(start + place));
      const found = groupsIn(entries, start);
      known.set(start, found);
      return found;
    };
  }, [entryAt, settled]);

  const groupAt = useCallback(
    (index: number) => {
      const group = isEnabled ? groupAround(groupsOf(windowStart(index)), index) : null;
      return group === null ? null : { group, isOpen: isGroupOpen(folding, group) };
    },
    [isEnabled, groupsOf, folding],
  );
  const shownFrom = useCallback(
    (index: number, direction: 1 | -1) => {
      const found = groupAt(index);
      if (found === null || found.isOpen || index === found.group.first) return index;
      return direction === 1 ? found.group.last + 1 : found.group.first;
    },
    [groupAt],
  );
  const onRangeChange = useCallback(
    ({ first, last }: FeedRange) =>
      setSettled((before) => Math.max(before, last < windowStart(before) ? count : windowStart(first))),
    [count],
  );
  return useMemo(() => ({ groupAt, shownFrom, onRangeChange }), [groupAt, shownFrom, onRangeChange]);
}
