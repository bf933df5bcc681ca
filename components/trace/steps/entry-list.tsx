"use client";

import { type RefCallback, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { FeedHandle, Jump } from "#components/feed/feed-handle.ts";
import type { FeedRange } from "#components/feed/feed-range.ts";
import type { Places } from "#components/feed/places.ts";
import { VirtualFeed } from "#components/feed/virtual-feed.tsx";
import { entryHeightGuess, MissingEntry } from "#components/trace/entry/missing-entry.tsx";
import { joinedLinkOf } from "#components/trace/entry/parts/joined-link.ts";
import { windowsOf } from "#components/trace/reader/log-windows.ts";
import { useCopyLink } from "#components/trace/reader/use-copy-link.ts";
import { useFeedKeys } from "#components/trace/reader/use-feed-keys.ts";
import { useGrownWindows } from "#components/trace/reader/use-grown-windows.ts";
import { useLogWindows } from "#components/trace/reader/use-log-windows.ts";
import { useSnapshot } from "#components/trace/reader/use-snapshot.ts";
import { loadable, useLoaded } from "#components/ui/use-loaded.ts";
import { whenIdle } from "#components/ui/when-idle.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import type { EntryListProps } from "./entry-source.ts";
import { type EntryGroup, ListGroups, settledAfter } from "./groups/entry-groups.ts";
import { NewEntriesAnnouncement, NewEntriesButton } from "./new-entries.tsx";
import { EntryItem } from "./step-islands.tsx";

/** A list of entries, read in windows around the view: cards, groups and navigation. */
export function EntryList(props: EntryListProps) {
  const { source, totalLogs, start, isLive, reader, isShown, renderCard } = props;
  const { windowQuery, placesOf, count, countedLogs, recent, hasGroups, findError } = source;
  const [initial] = useState(() => windowsOf(start, count));
  const windows = useLogWindows({ windowQuery, count, recent: recent ?? none, initial });
  const { entries, entryAt, errorAt, retry } = windows;
  useGrownWindows(windowQuery, windows.skips, recent === null ? count : 0);
  const { folding, marked } = useSnapshot(reader);
  const [settled, setSettled] = useState(count);
  const groups = useMemo(
    () => (hasGroups ? new ListGroups({ entryAt, settled, folding }) : null),
    [hasGroups, entryAt, settled, folding],
  );
  const feedRef = useCallback(
    (feed: FeedHandle | null) => (feed === null ? undefined : reader.setFeed(feed)),
    [reader],
  );
  const places = useMemo((): Places => {
    const all = placesOf(entries);
    return groups === null ? all : { ...all, shownFrom: (place, direction) => groups.shownFrom(place, direction) };
  }, [placesOf, entries, groups]);
  const onMark = useCallback((seq: number) => reader.mark(seq), [reader]);
  const onToggle = useCallback((group: EntryGroup) => reader.toggle(group), [reader]);

  // While a run is live its number of steps is unknown, and cards need not be rendered again with each one.
  const setSize = source.isCounted && !isLive ? count : null;
  const lastCounted = countedLogs === null ? null : count - 1;
  const renderItem = useCallback(
    (index: number, measureRef: RefCallback<HTMLElement>) => {
      const entry = entryAt(index);
      if (entry === null) {
        const seq = hasGroups ? index + 1 : null;
        return <MissingEntry {...{ index, seq, measureRef }} count={setSize} error={errorAt(index)} onRetry={retry} />;
      }
      const found = groups?.at(index) ?? null;
      // A folded member keeps its place in the list, so that places and entries still correspond.
      if (found !== null && !found.isOpen && index > found.group.first) {
        return <div ref={measureRef} aria-hidden className={foldedClasses} />;
      }
      return (
        <EntryItem
          {...{ measureRef, entry, index, setSize, found, onMark, renderCard }}
          nextSeq={
            countedLogs === null ? null : index === lastCounted ? countedLogs + 1 : (entryAt(index + 1)?.seq ?? null)
          }
          link={joinedLinkOf(entry, entryAt(index + 1))}
          isJoined={joinedLinkOf(entryAt(index - 1), entry) !== null}
          isMarked={entry.seq === marked}
          onToggle={onToggle}
        />
      );
    },
    [
      entryAt,
      errorAt,
      setSize,
      marked,
      onMark,
      onToggle,
      retry,
      groups,
      hasGroups,
      renderCard,
      countedLogs,
      lastCounted,
    ],
  );
  const { rendered } = windows.loader;
  const onRendered = useCallback(
    (range: FeedRange) => {
      rendered(range);
      setSettled((before) => settledAfter(before, range, count));
    },
    [rendered, count],
  );

  const textOf = useCallback(
    (index: number) => {
      const entry = entryAt(index);
      return (entry && plainText.get()?.plainTextOf(entry)) ?? null;
    },
    [entryAt],
  );
  const loadSelected = windows.prepareTexts;
  const prepareTexts = useCallback(
    (ends: FeedRange | null) => {
      if (ends !== null) void plainText.load();
      loadSelected(ends);
    },
    [loadSelected],
  );
  const [asksStep, setAsksStep] = useState(false);
  const goToStep = useLoaded(stepDialog, asksStep);
  // At hand when the reader first asks for a step.
  useEffect(() => whenIdle(() => void stepDialog.load()), []);
  const closeDialog = useCallback(() => setAsksStep(false), []);
  const copyLink = useCopyLink(onMark);
  const jump = useRef<Jump | null>(null);
  useFeedKeys({
    ...{ reader, isShown, findError },
    onAskStep: () => setAsksStep(true),
    onAskFilter: props.onAskFilter,
    onCopyLink: (seq) => void copyLink(seq, "confirms"),
  });
  const { isAtEnd, newCount, setAtEnd } = useUnseen(count, source.isCounted, start === "end");

  return (
    <>
      <VirtualFeed
        ref={feedRef}
        places={places}
        renderItem={renderItem}
        estimate={entryHeightGuess}
        label="Steps of the run"
        initial={start}
        loader={{ ...windows.loader, rendered: onRendered, textOf, prepareTexts }}
        onAtEndChange={(isNow) => {
          setAtEnd(isNow);
          reader.places.setAtEnd(isNow);
        }}
        header={props.header}
        footer={props.footer(count === 0 ? null : entryAt(count - 1))}
        className="mx-auto w-full max-w-[820px] pt-1"
      />
      <NewEntriesButton count={newCount} isLive={isLive} isAtEnd={isAtEnd} onShow={() => reader.toEnd()} />
      {source.isCounted && <NewEntriesAnnouncement totalLogs={count} />}
      {goToStep && (
        <goToStep.GoToStep
          open={asksStep}
          totalLogs={totalLogs}
          onClose={closeDialog}
          onGo={(seq, onThere) => {
            jump.current = reader.goToSeq(seq, { onThere });
          }}
          onGone={(seq) => {
            // If the reader navigated while the dialog was closing, keep their position.
            if (jump.current !== null && reader.isLast(jump.current)) reader.goToSeq(seq, { takeFocus: true });
            reader.mark(seq, "soon");
          }}
        />
      )}
    </>
  );
}

const none: readonly LogEntry[] = [];
const stepDialog = loadable(() => import("./go-to-step.tsx"));
const plainText = loadable(() => import("#components/trace/entry/plain-text.ts"));

/** The smallest height that the list allows; a folded member shows only the rail. */
const foldedClasses =
  "relative h-px before:absolute before:left-[25px] before:size-px before:bg-border sm:before:left-[101px]";

/** Number of entries added since the reader was last at the end; entries still being found are not new. */
function useUnseen(count: number, isCounted: boolean, startsAtEnd: boolean) {
  const [isAtEnd, setAtEnd] = useState(startsAtEnd);
  const [seen, setSeen] = useState({ count, isCounted });
  const isSeen = isAtEnd || !seen.isCounted;
  if (isSeen && (seen.count !== count || seen.isCounted !== isCounted)) setSeen({ count, isCounted });
  return { isAtEnd, newCount: isSeen ? 0 : Math.max(0, count - seen.count), setAtEnd };
}
