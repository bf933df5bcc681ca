"use client";

import { type ReactNode, type RefCallback, useCallback, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { ErrorDirection } from "#lib/client/outline-queries.ts";
import type { LogEntry } from "#lib/contract/entry.ts";
import { useGrownWindows } from "./filter/use-grown-windows.ts";
import type { EntryGroup } from "./group/entry-groups.ts";
import { ListGroups, settledAfter } from "./group/list-groups.ts";
import { joinedLinkOf } from "./joined-link.ts";
import { EntryItem } from "./later-parts.tsx";
import { GoToStep } from "./lazy-views.tsx";
import type { FeedRange } from "./list/feed-range.ts";
import { VirtualFeed, type VirtualFeedHandle } from "./list/virtual-feed.tsx";
import type { ListPlaces } from "./list-places.ts";
import { windowsOf } from "./log-windows.ts";
import { entryHeightGuess, MissingEntry } from "./missing-entry.tsx";
import { NewEntriesAnnouncement, NewEntriesButton } from "./new-entries.tsx";
import type { Journey } from "./reader/journeys.ts";
import type { TraceReader } from "./reader/trace-reader.ts";
import { useReaderList } from "./reader/use-reader-list.ts";
import { useCopyLink } from "./use-copy-link.ts";
import { useFeedKeys } from "./use-feed-keys.ts";
import { useLogWindows, type WindowQuery } from "./use-log-windows.ts";

/** What a list is made of. */
export type EntryListProps = {
  windowQuery: WindowQuery;
  placesOf: (entries: ReadonlyMap<number, LogEntry>) => ListPlaces;
  /** How many entries the list has; it may grow. Give another `key` to show another list. */
  count: number;
  /** False while the count still grows by what is there already: screen readers are told none. */
  isCounted?: boolean;
  /** How many entries the run has. */
  totalLogs: number;
  recent: readonly LogEntry[];
  /** Where the list opens: a place in it (from 0), or one of its ends. */
  start: "start" | "end" | number;
  isLive: boolean;
  /** The seq that the address names, or null. */
  marked: number | null;
  reader: TraceReader;
  hasGroups: boolean;
  /** Entries that come live are read by asking for their window again; else they come by `recent`. */
  growsByAsking?: boolean;
  findError: (seq: number, direction: ErrorDirection) => Promise<number | null>;
  /** Nothing is listened to while the feed is not shown. */
  isShown: boolean;
  onAskFilter: () => void;
  /** What a card shows, where it is not the whole entry. */
  renderCard?: ((entry: LogEntry, next: LogEntry | null) => ReactNode) | undefined;
  header: ReactNode;
  /** By the last entry of the list, where it is at hand. */
  footer: (last: LogEntry | null) => ReactNode;
};

/** A list of entries, read in windows around the view: cards, groups, and the ways through them. */
export function EntryList(props: EntryListProps) {
  const { windowQuery, placesOf, count, totalLogs, marked, reader, hasGroups } = props;
  const [initial] = useState(() => windowsOf(props.start, count));
  const windows = useLogWindows({ windowQuery, count, recent: props.recent, initial });
  const { entries, entryAt, errorAt, retry } = windows;
  useGrownWindows(windowQuery, windows.skips, props.growsByAsking === true ? count : 0);
  const places = placesOf(entries);
  const folding = useSyncExternalStore(
    reader.subscribe,
    () => reader.snapshot.folding,
    () => reader.snapshot.folding,
  );
  const [settled, setSettled] = useState(count);
  const groups = useMemo(
    () => (hasGroups ? new ListGroups({ entryAt, settled, folding }) : null),
    [hasGroups, entryAt, settled, folding],
  );
  const list = useRef<VirtualFeedHandle>(null);
  const { prepare } = windows;
  const shownFrom = (place: number, direction: 1 | -1) => groups?.shownFrom(place, direction) ?? place;
  useReaderList(reader, list, { places, prepare, shownFrom, findError: props.findError });
  const onMark = useCallback((seq: number) => reader.mark(seq), [reader]);
  const onToggle = useCallback((group: EntryGroup) => reader.toggle(group), [reader]);

  const { renderCard, isCounted = true } = props;
  // How many steps a run will have is not known while it goes on; and cards need not be rendered anew with every one.
  const setSize = isCounted && !props.isLive ? count : null;
  const renderItem = useCallback(
    (index: number, measureRef: RefCallback<HTMLElement>) => {
      const entry = entryAt(index);
      if (entry === null) {
        const seq = hasGroups ? index + 1 : null;
        return <MissingEntry {...{ index, seq, measureRef }} count={setSize} error={errorAt(index)} onRetry={retry} />;
      }
      const found = groups?.at(index) ?? null;
      // A folded member keeps its place in the list, so that places stay the entries' own.
      if (found !== null && !found.isOpen && index > found.group.first) {
        return <div ref={measureRef} aria-hidden className={foldedClasses} />;
      }
      return (
        <EntryItem
          {...{ measureRef, entry, index, setSize, found, onMark, renderCard }}
          next={renderCard === undefined ? null : entryAt(index + 1)}
          link={joinedLinkOf(entry, entryAt(index + 1))}
          isJoined={joinedLinkOf(entryAt(index - 1), entry) !== null}
          isMarked={entry.seq === marked}
          onToggle={onToggle}
        />
      );
    },
    [entryAt, errorAt, setSize, marked, onMark, onToggle, retry, groups, hasGroups, renderCard],
  );
  const onRangeChange = useCallback(
    (range: FeedRange) => {
      windows.onRangeChange(range);
      setSettled((before) => settledAfter(before, range, count));
    },
    [windows.onRangeChange, count],
  );

  const [asksStep, setAsksStep] = useState(false);
  const closeDialog = useCallback(() => setAsksStep(false), []);
  const copyLink = useCopyLink(onMark);
  const led = useRef<Journey | null>(null);
  useFeedKeys({
    reader,
    isShown: props.isShown,
    onAskStep: () => setAsksStep(true),
    onAskFilter: props.onAskFilter,
    onCopyLink: (seq) => void copyLink(seq, "told"),
  });
  const { isAtEnd, newCount, setAtEnd } = useUnseen(count, props.start === "end");

  const initialPlace = typeof props.start === "number" ? { index: props.start, align: "start" as const } : props.start;
  return (
    <>
      <VirtualFeed
        ref={list}
        count={count}
        renderItem={renderItem}
        estimate={entryHeightGuess}
        label="Steps of the run"
        busy={windows.isLoading}
        initial={initialPlace}
        onRangeChange={onRangeChange}
        onJump={windows.onJump}
        onAtEndChange={(isNow) => {
          setAtEnd(isNow);
          reader.places.setAtEnd(isNow);
        }}
        header={props.header}
        footer={props.footer(count === 0 ? null : entryAt(count - 1))}
        className="min-w-0 flex-1"
        contentClassName="mx-auto w-full max-w-[820px] pt-1"
      />
      <NewEntriesButton count={newCount} isLive={props.isLive} isAtEnd={isAtEnd} onShow={() => reader.toEnd()} />
      <NewEntriesAnnouncement totalLogs={count} />
      <GoToStep
        open={asksStep}
        totalLogs={totalLogs}
        onClose={closeDialog}
        onGo={(seq, onThere) => {
          led.current = reader.goToSeq(seq, { onThere });
        }}
        onGone={(seq) => {
          // Who has gone on while the dialog closed stays there.
          if (led.current !== null && reader.isLast(led.current)) reader.goToSeq(seq, { takeFocus: true });
          reader.mark(seq, "soon");
        }}
      />
    </>
  );
}

/** As low as the list allows; what is left of a member is the rail going on. */
const foldedClasses =
  "relative h-px before:absolute before:left-[25px] before:size-px before:bg-border sm:before:left-[101px]";

/** How many entries came since the reader was last at the end. */
function useUnseen(count: number, startsAtEnd: boolean) {
  const [isAtEnd, setAtEnd] = useState(startsAtEnd);
  const [seen, setSeen] = useState(count);
  if (isAtEnd && seen !== count) setSeen(count);
  return { isAtEnd, newCount: Math.max(0, count - seen), setAtEnd };
}
