"use client";

import { type ReactNode, type RefCallback, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { isLive } from "#lib/client/is-live.ts";
import type { TraceSource } from "#lib/client/trace-source.ts";
import type { RunTail } from "#lib/client/use-run-tail.ts";
import type { Run } from "#lib/contract/run.ts";
import { EntryCard } from "./cards/entry-card.tsx";
import { EntryPanel } from "./entry-panel.tsx";
import { GoToStep } from "./go-to-step.tsx";
import { InFlight } from "./in-flight.tsx";
import { KeysDialog } from "./keys-dialog.tsx";
import { VirtualFeed, type VirtualFeedHandle } from "./list/virtual-feed.tsx";
import { firstWindows, type Opening, parseEntry } from "./log-windows.ts";
import { Minimap } from "./minimap/minimap.tsx";
import { entryHeightGuess, MissingEntry } from "./missing-entry.tsx";
import { NewEntriesAnnouncement, NewEntriesButton } from "./new-entries.tsx";
import { RunEnd } from "./run-end.tsx";
import { useFeedKeys } from "./use-feed-keys.ts";
import { useFindError } from "./use-find-error.ts";
import { useLogWindows } from "./use-log-windows.ts";
import type { usePageSearch } from "./use-page-search.ts";

type TraceFeedProps = {
  source: TraceSource;
  run: Run;
  tail: Pick<RunTail, "totalLogs" | "recent" | "progress">;
  opening: Opening;
  search: ReturnType<typeof usePageSearch>;
  feed: RefObject<VirtualFeedHandle | null>;
  mayResume: boolean;
  /** Scrolled with the steps, above the first one. */
  header: ReactNode;
};

/** The steps of a run: read in windows around the view, growing while the run goes on. */
export function TraceFeed({ source, run, tail, opening, search, feed, mayResume, header }: TraceFeedProps) {
  const { totalLogs, recent, progress } = tail;
  const [initial] = useState(() => firstWindows(opening, totalLogs));
  const windows = useLogWindows({ source, totalLogs, recent, initial });
  const { entryAt, errorAt, retry } = windows;
  const marked = parseEntry(search.entry);
  const { show } = search;
  const mark = useCallback((seq: number) => show({ entry: String(seq) }, "replace"), [show]);
  const isShown = search.tab === "trace";
  const area = useRef<HTMLDivElement>(null);

  const renderItem = useCallback(
    (index: number, measureRef: RefCallback<HTMLElement>) => {
      const entry = entryAt(index);
      const seq = index + 1;
      if (entry === null) {
        const error = errorAt(index);
        return <MissingEntry {...{ seq, totalLogs, error, measureRef }} onRetry={retry} />;
      }
      return (
        <EntryPanel {...{ entry, totalLogs, measureRef }} isMarked={seq === marked} onMark={mark}>
          <EntryCard entry={entry} />
        </EntryPanel>
      );
    },
    [entryAt, errorAt, totalLogs, marked, mark, retry],
  );

  const [dialog, setDialog] = useState<"step" | "keys" | null>(null);
  const closeDialog = useCallback(() => setDialog(null), []);
  const goTo = useFeedKeys({
    feed,
    count: totalLogs,
    isShown,
    findError: useFindError(source, totalLogs),
    onAskStep: () => setDialog("step"),
    onShowKeys: () => setDialog("keys"),
  });
  useShowMarked(feed, marked, totalLogs);
  const { isAtEnd, newCount, onAtEndChange } = useUnseen(totalLogs, opening.at === "end");

  const footer = isLive(run) ? (
    <InFlight status={run.status} progress={progress} lastEntry={totalLogs === 0 ? null : entryAt(totalLogs - 1)} />
  ) : (
    <RunEnd run={run} totalLogs={totalLogs} mayResume={mayResume} />
  );
  return (
    <div ref={area} className="relative flex min-h-0 flex-1">
      <Minimap {...{ source, totalLogs, feed, area }} />
      <VirtualFeed
        ref={feed}
        count={totalLogs}
        renderItem={renderItem}
        estimate={entryHeightGuess}
        label="Steps of the run"
        busy={windows.isLoading}
        initial={opening.at === "entry" ? { index: opening.seq - 1, align: "start" } : opening.at}
        onRangeChange={windows.onRangeChange}
        onAtEndChange={onAtEndChange}
        header={header}
        footer={footer}
        className="min-w-0 flex-1"
        contentClassName="mx-auto w-full max-w-[820px] pt-1"
      />
      <NewEntriesButton
        count={newCount}
        isLive={isLive(run)}
        isAtEnd={isAtEnd}
        onShow={() => feed.current?.scrollToEnd()}
      />
      <NewEntriesAnnouncement totalLogs={totalLogs} />
      <KeysDialog open={dialog === "keys"} onClose={closeDialog} />
      <GoToStep
        open={dialog === "step"}
        totalLogs={totalLogs}
        onClose={closeDialog}
        onGo={(seq) => {
          goTo(seq - 1);
          mark(seq);
        }}
      />
    </div>
  );
}

/** Brings the entry of the address into view when the address changes; where it is in view already nothing moves. */
function useShowMarked(feed: RefObject<VirtualFeedHandle | null>, marked: number | null, totalLogs: number): void {
  const shown = useRef(marked);
  useEffect(() => {
    if (shown.current === marked) return;
    shown.current = marked;
    if (marked === null || marked > totalLogs || feed.current === null) return;
    const { first, last } = feed.current.visibleRange();
    if (marked - 1 < first || marked - 1 > last) feed.current.scrollToIndex(marked - 1, { align: "center" });
  }, [feed, marked, totalLogs]);
}

/** How many entries came since the reader was last at the end. */
function useUnseen(totalLogs: number, startsAtEnd: boolean) {
  const [isAtEnd, setAtEnd] = useState(startsAtEnd);
  const [seen, setSeen] = useState(totalLogs);
  if (isAtEnd && seen !== totalLogs) setSeen(totalLogs);
  return { isAtEnd, newCount: Math.max(0, totalLogs - seen), onAtEndChange: setAtEnd };
}
