"use client";

import { useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { ConnectionBanner } from "#components/trace/page/connection-banner.tsx";
import { RawTab, TimelineTab } from "#components/trace/page/lazy-views.tsx";
import { Pane } from "#components/trace/page/pane.tsx";
import { RunTabs } from "#components/trace/page/run-tabs.tsx";
import type { PageSearch, PageSearchChange } from "#components/trace/reader/address-bar.ts";
import { parseEntry } from "#components/trace/reader/address-bar.ts";
import { clipCharacters, openingOf, windowSize } from "#components/trace/reader/log-windows.ts";
import { TraceProvider } from "#components/trace/reader/trace-context.tsx";
import { usePageSearch } from "#components/trace/reader/use-page-search.ts";
import { useTraceReader } from "#components/trace/reader/use-trace-reader.ts";
import { TraceFeed } from "#components/trace/steps/trace-feed.tsx";
import { ClientError } from "#lib/client/client-error.ts";
import { isLive } from "#lib/client/live/is-live.ts";
import { useRunTail } from "#lib/client/live/use-run-tail.ts";
import { traceRunQuery } from "#lib/client/pages/run-queries.ts";
import { offsetOf, type TraceSource } from "#lib/client/pages/trace-source.ts";
import type { SharedRun } from "#lib/contract/runs/shared-run.ts";
import { ShareGone } from "./share-gone.tsx";
import { SharedHeader } from "./shared-header.tsx";
import { SharedLine } from "./shared-line.tsx";

const shownTabs = ["trace", "timeline", "raw"] as const;

type SharedRunViewProps = { token: string; run: SharedRun };

/** A shared run: the dashboard's viewer over a link's data, read-only. */
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
  // An ended run has no open stream; reading the run again shows when the link stops working.
  const { error } = useQuery({ ...traceRunQuery(source), enabled: false });
  if (isGone(error) || (tail.state === "refused" && isGone(tail.error))) return <ShareGone wasOpen />;

  const tab = shownTabs.find((name) => name === search.tab) ?? "trace";
  return (
    <TraceProvider {...{ source, reader }} startedAtMs={Date.parse(run.started_at ?? run.created_at)}>
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
          <Pane tab="timeline" current={tab} loading="Loading the timeline">
            <TimelineTab tail={tail} isShown={tab === "timeline"} />
          </Pane>
          <Pane tab="raw" current={tab} loading="Loading the entries">
            <RawTab source={source} tail={tail} />
          </Pane>
        </div>
      </main>
    </TraceProvider>
  );
}

/** The address uses the run's step numbers; the viewer counts from the first step shown. */
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
      The shared part ends here.
    </p>
  );
}

function isGone(error: unknown): boolean {
  return error instanceof ClientError && error.status === 404;
}
