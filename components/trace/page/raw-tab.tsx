"use client";

import { type RefCallback, useCallback, useState } from "react";
import { densePlaces } from "#components/feed/places.ts";
import { VirtualFeed } from "#components/feed/virtual-feed.tsx";
import { formatCountOf } from "#components/shell/format-number.ts";
import { MissingEntry } from "#components/trace/entry/missing-entry.tsx";
import { ApiLink, RawJson } from "#components/trace/entry/parts/raw-json.tsx";
import { firstWindows } from "#components/trace/reader/log-windows.ts";
import { useSeqOffset } from "#components/trace/reader/trace-context.tsx";
import { useAllWindows, useLogWindows } from "#components/trace/reader/use-log-windows.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import type { RunTail } from "#lib/client/live/use-run-tail.ts";
import { type TraceSource, tracePath } from "#lib/client/pages/trace-source.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";

type RawTabProps = { source: TraceSource; tail: Pick<RunTail, "totalLogs" | "recent"> };

const rawHeightGuess = 330;

/** The entries as the API returns them. */
export function RawTab({ source, tail: { totalLogs, recent } }: RawTabProps) {
  const [initial] = useState(() => firstWindows("start", totalLogs));
  const { entryAt, errorAt, retry, prepareTexts, loader } = useLogWindows({
    windowQuery: useAllWindows(source),
    count: totalLogs,
    recent,
    initial,
  });
  const renderItem = useCallback(
    (index: number, measureRef: RefCallback<HTMLElement>) => {
      const entry = entryAt(index);
      const seq = index + 1;
      if (entry === null) {
        return (
          <MissingEntry {...{ seq, index, measureRef }} count={totalLogs} error={errorAt(index)} onRetry={retry} />
        );
      }
      return <RawEntry {...{ entry, totalLogs, measureRef }} />;
    },
    [entryAt, errorAt, totalLogs, retry],
  );
  const textOf = useCallback(
    (index: number) => {
      const entry = entryAt(index);
      return entry && JSON.stringify(entry, null, 2);
    },
    [entryAt],
  );
  return (
    <VirtualFeed
      places={densePlaces(totalLogs)}
      renderItem={renderItem}
      estimate={rawHeightGuess}
      label="Log entries as JSON"
      follow={false}
      loader={{ ...loader, textOf, prepareTexts }}
      header={
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 pt-4 text-[13px] text-muted-foreground">
          {formatCountOf(totalLogs, "entry", "entries")} as the API returns them; long strings are cut.
          <ApiLink href={tracePath(source, "getLogs", { query: { skip: 0, limit: 100 } })}>
            The first hundred, in full
          </ApiLink>
        </p>
      }
      footer={totalLogs === 0 && <EmptyState title="No entries yet" />}
      className="mx-auto w-full max-w-[1080px] pb-4"
    />
  );
}

type RawEntryProps = { entry: LogEntry; totalLogs: number; measureRef: RefCallback<HTMLElement> };

function RawEntry({ entry, totalLogs, measureRef }: RawEntryProps) {
  const seq = entry.seq + useSeqOffset();
  return (
    <article
      ref={measureRef}
      aria-posinset={entry.seq}
      aria-setsize={totalLogs}
      aria-label={`Entry ${seq}, ${entry.message_type}`}
      className="px-4 pt-3"
    >
      <RawJson entry={entry} head={20} openKey={`${entry.seq}.raw`} />
    </article>
  );
}
