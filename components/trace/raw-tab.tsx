"use client";

import { ExternalLink } from "lucide-react";
import { type RefCallback, useCallback, useState } from "react";
import { formatCountOf } from "#components/shell/format-number.ts";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { offsetOf, type TraceSource, tracePath } from "#lib/client/trace-source.ts";
import type { RunTail } from "#lib/client/use-run-tail.ts";
import type { LogEntry } from "#lib/contract/entry.ts";
import { getLogEntry, getLogs } from "#lib/contract/run-operations.ts";
import { VirtualFeed } from "./list/virtual-feed.tsx";
import { firstWindows } from "./log-windows.ts";
import { MissingEntry } from "./missing-entry.tsx";
import { FoldedText } from "./text/fold.tsx";
import { useKeptOpen } from "./trace-context.tsx";
import { useAllEntries, useLogWindows } from "./use-log-windows.ts";

type RawTabProps = { source: TraceSource; tail: Pick<RunTail, "totalLogs" | "recent"> };

const rawHeightGuess = 330;

/** The entries as the API gives them. */
export function RawTab({ source, tail: { totalLogs, recent } }: RawTabProps) {
  const [initial] = useState(() => firstWindows("start", totalLogs));
  const { entryAt, errorAt, retry, isLoading, onRangeChange } = useLogWindows({
    windowQuery: useAllEntries(source),
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
      return <RawEntry {...{ source, entry, totalLogs, measureRef }} />;
    },
    [source, entryAt, errorAt, totalLogs, retry],
  );
  return (
    <VirtualFeed
      count={totalLogs}
      renderItem={renderItem}
      estimate={rawHeightGuess}
      label="Log entries as JSON"
      busy={isLoading}
      follow={false}
      onRangeChange={onRangeChange}
      header={
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 pt-4 text-[13px] text-muted-foreground">
          {formatCountOf(totalLogs, "entry", "entries")} as the API gives them; long strings are cut.
          <ApiLink href={tracePath(source, getLogs, { query: { skip: 0, limit: 100 } })}>
            The first hundred, whole
          </ApiLink>
        </p>
      }
      footer={totalLogs === 0 && <EmptyState title="No entries yet" />}
      className="flex-1"
      contentClassName="mx-auto w-full max-w-[1080px] pb-4"
    />
  );
}

type RawEntryProps = {
  source: TraceSource;
  entry: LogEntry;
  totalLogs: number;
  measureRef: RefCallback<HTMLElement>;
};

function RawEntry({ source, entry, totalLogs, measureRef }: RawEntryProps) {
  const [isOpen, setOpen] = useKeptOpen(`${entry.seq}.raw`);
  const seq = entry.seq + offsetOf(source);
  const json = JSON.stringify({ ...entry, seq }, null, 2);
  return (
    <article
      ref={measureRef}
      aria-posinset={entry.seq}
      aria-setsize={totalLogs}
      aria-label={`Entry ${seq}, ${entry.message_type}`}
      className="px-4 pt-3"
    >
      <div className="overflow-hidden rounded-md border border-border bg-code">
        <div className="flex items-center gap-3 border-border border-b py-0.5 pr-1 pl-3 text-muted-foreground text-xs">
          <span className="tabular-nums">#{seq}</span>
          <span className="min-w-0 truncate">{entry.message_type}</span>
          <span className="ml-auto flex items-center gap-2">
            <ApiLink href={tracePath(source, getLogEntry, { params: { seq: entry.seq } })}>API</ApiLink>
            <CopyButton text={json} label={`Copy entry ${seq}`} />
          </span>
        </div>
        <FoldedText text={json} head={20} isOpen={isOpen} onOpenChange={setOpen} className="py-2" />
      </div>
    </article>
  );
}

function ApiLink({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noopener" className="inline-flex items-center gap-1 text-link hover:underline">
      {children}
      <ExternalLink aria-hidden className="size-3" />
    </a>
  );
}
