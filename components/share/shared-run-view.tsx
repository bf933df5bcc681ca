"use client";

import { useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { ConnectionBanner } from "#components/trace/later-parts.tsx";
import { RawTab } from "#components/trace/lazy-views.tsx";
import { clipCharacters, openingOf, parseEntry, windowSize } from "#components/trace/log-windows.ts";
import { Pane } from "#components/trace/pane.tsx";
import { useTraceReader } from "#components/trace/reader/use-trace-reader.ts";
import { RunTabs } from "#components/trace/run-tabs.tsx";
import { TimelineTab } from "#components/trace/timeline/timeline-tab.tsx";
import { TraceProvider } from "#components/trace/trace-context.tsx";
import { TraceFeed } from "#components/trace/trace-feed.tsx";
import { type PageSearch, type PageSearchChange, usePageSearch } from "#components/trace/use-page-search.ts";
import { ClientError } from "#lib/client/client-error.ts";
import { isLive } from "#lib/client/is-live.ts";
import { traceRunQuery } from "#lib/client/run-queries.ts";
import { offsetOf, type TraceSource } from "#lib/client/trace-source.ts";
import { useRunTail } from "#lib/client/use-run-tail.ts";
import type { SharedRun } from "#lib/contract/shared-run.ts";
import { ShareGone } from "./share-gone.tsx";
import { SharedHeader } from "./shared-header.tsx";
import { SharedLine } from "./shared-line.tsx";

const shownTabs = ["trace", "timeline", "raw"] as const;

type SharedRunViewProps = { token: string; run: SharedRun };

/** A shared run: the viewer of the dashboard over what the link gives, to be read only. */
export function SharedRunView({ token, run: first }: SharedRunViewProps) {
  const { share } = first;
  const [source] = useState<TraceSource>({ kind: "share", shareToken: token, firstSeq: share.from_seq });
  const tail = useRunTail({ source, run: first, clip: clipCharacters, windowSize });
  const { run, totalLogs } = tail;
  const search = useShiftedSearch(offsetOf(source));
  const [opening] = useState(() => openingOf(parseEntry(search.entry), isLive(first), first.total_logs));
  const reader = useTraceReader(search);
  const onShow = useCallback((next: PageSearch["tab"]) => reader.showTab(next), [reader]);
  const isPart = share.from_seq > 1 || share.to_seq !== null;
  // Where the run has ended no stream is open: then asking for the run again tells that the link has.
  const { error } = useQuery({ ...traceRunQuery(source), enabled: false });
  if (isGone(error) || (tail.state === "refused" && isGone(tail.error))) return <ShareGone wasOpen />;

  const tab = shownTabs.find((name) => name === search.tab) ?? "trace";
  const goTo = (seq: number) => reader.open(seq);
  return (
    <TraceProvider source={source} startedAtMs={Date.parse(run.started_at ?? run.created_at)}>
      <main className="flex h-dvh min-w-0 flex-col">
        <SharedLine share={share} />
        <SharedHeader
          {...{ run, totalLogs, isPart }}
          tabs={<RunTabs current={tab} shown={shownTabs} changes={null} onShow={onShow} />}
        />
        <ConnectionBanner tail={tail} />
        <div className="flex min-h-0 min-w-0 flex-1">
          <Pane tab="trace" current={tab}>
            <TraceFeed
              {...{ source, run, tail, opening, reader }}
              search={{ ...search, tab }}
              mayResume={false}
              header={null}
              end={isPart ? <PartEnd /> : undefined}
            />
          </Pane>
          <Pane tab="timeline" current={tab}>
            <TimelineTab tail={tail} isShown={tab === "timeline"} onGoTo={goTo} />
          </Pane>
          <Pane tab="raw" current={tab}>
            <RawTab source={source} tail={tail} />
          </Pane>
        </div>
      </main>
    </TraceProvider>
  );
}

/** The address calls a step what it is called in the run; the viewer counts from the first one that shows. */
function useShiftedSearch(offset: number): ReturnType<typeof usePageSearch> {
  const search = usePageSearch();
  const { show } = search;
  const shifted = useCallback<typeof show>(
    (part: PageSearchChange, how) =>
      show(typeof part.entry === "string" ? { ...part, entry: moved(part.entry, offset) } : part, how),
    [show, offset],
  );
  return { ...search, entry: moved(search.entry, -offset), show: shifted };
}

function moved(entry: string | null, by: number): string | null {
  const seq = parseEntry(entry);
  return seq === null ? null : String(Math.max(1, seq + by));
}

function PartEnd() {
  return (
    <p className="border-border border-t px-4 pt-4 pb-6 text-muted-foreground sm:ml-[96px] sm:px-0 sm:pr-4">
      What is shared ends here.
    </p>
  );
}

function isGone(error: unknown): boolean {
  return error instanceof ClientError && error.status === 404;
}
