"use client";

import { type ReactNode, useCallback, useMemo, useRef, useState } from "react";
import { parseEntry } from "#components/trace/reader/address-bar.ts";
import { filterQueryOf } from "#components/trace/reader/filter-query.ts";
import { openingOf } from "#components/trace/reader/log-windows.ts";
import type { ReadingPlace } from "#components/trace/reader/place.ts";
import { type TraceFilter, traceFilterKey } from "#components/trace/reader/trace-filter.ts";
import type { TraceReader } from "#components/trace/reader/trace-reader.ts";
import { usePrefetchEnd } from "#components/trace/reader/use-log-windows.ts";
import type { usePageSearch } from "#components/trace/reader/use-page-search.ts";
import { useToolCallLink } from "#components/trace/reader/use-tool-call-link.ts";
import { useReading } from "#components/trace/reader/use-trace-reader.ts";
import { isLive } from "#lib/client/live/is-live.ts";
import type { RunTail } from "#lib/client/live/use-run-tail.ts";
import type { TraceSource } from "#lib/client/pages/trace-source.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { EntryList } from "./entry-list.tsx";
import { HiddenEntry } from "./filter/hidden-entry.tsx";
import type { QueryCount } from "./filtered-list.tsx";
import { FoundMap } from "./found-map.tsx";
import { RunEnd } from "./run-end.tsx";
import { FilteredList, FilterRow, InFlight } from "./step-islands.tsx";
import { useAllEntries } from "./use-all-entries.ts";
import { useRunFind } from "./use-run-find.tsx";
import { waitingWords } from "./waiting-words.ts";

type TraceFeedProps = {
  source: TraceSource;
  run: Run;
  tail: Pick<RunTail, "totalLogs" | "recent" | "progress">;
  opening: ReadingPlace;
  search: ReturnType<typeof usePageSearch>;
  reader: TraceReader;
  mayResume: boolean;
  /** Scrolls with the steps, above the first one. */
  header: ReactNode;
  /** Shown below the last step instead of how the run ended. */
  end?: ReactNode;
};

/** Steps of a run beside its map, loaded in windows around the view, and growing while the run is live. */
export function TraceFeed({ source, run, tail, opening, search, reader, mayResume, header, end }: TraceFeedProps) {
  const { totalLogs, recent, progress } = tail;
  const { filter } = search;
  const marked = parseEntry(search.entry);
  const area = useRef<HTMLDivElement>(null);
  const [isFilterOpen, setFilterOpen] = useState(false);
  const filterKey = traceFilterKey(filter);
  const isFiltered = filterKey !== "";
  const query = useMemo(() => (isFiltered ? filterQueryOf(filter) : null), [isFiltered, filter]);
  // If another view was opened first, the address may have changed since and name an entry.
  const [opens] = useState(() => (marked === null ? opening : openingOf(marked, isLive(run), totalLogs)));
  const { start, folding, hidden } = useReading(reader, {
    address: { entry: marked, filterKey },
    opens,
    area,
  });
  const isShown = search.tab === "trace";
  const find = useRunFind({ source, totalLogs, reader, area, search, isShown });
  const all = useAllEntries(source, totalLogs, recent);
  usePrefetchEnd(all.windowQuery, totalLogs, isShown && !isLive(run) && !isFiltered);
  const [found, setFound] = useState<QueryCount | null>(null);
  useToolCallLink(source, search.toolCallId, reader);

  const onFilter = useCallback((next: TraceFilter) => reader.setFilter(next), [reader]);
  const onFoldAll = () => reader.toggleAll();
  const footer = (last: LogEntry | null) =>
    isLive(run) ? (
      <InFlight
        status={run.status}
        waiting={waitingWords(run)}
        // The prompt of a queued run is above the composer, where it can be edited.
        prompt={totalLogs === 0 && run.status !== "queued" ? run.prompt : null}
        progress={progress}
        lastEntry={recent.at(-1) ?? last}
        hasQuestion={run.question !== null}
      />
    ) : (
      (end ?? <RunEnd run={run} totalLogs={totalLogs} mayResume={mayResume} />)
    );
  const shared = {
    ...{ totalLogs, reader, header, footer, isShown },
    isLive: isLive(run),
    onAskFilter: () => setFilterOpen(true),
  };
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <FilterRow
        {...{ source, filter, totalLogs, onFilter, onFoldAll }}
        onFind={find.open}
        isOpen={isFilterOpen}
        onOpenChange={setFilterOpen}
        found={found?.query === query ? found : null}
        areGroupsOpen={isFiltered ? null : folding.areOpen}
      />
      {hidden !== null && hidden.filterKey === filterKey && isFiltered && (
        <HiddenEntry
          seq={hidden.seq}
          onShow={() => reader.showAmongAll(hidden.seq)}
          onClose={() => reader.setHidden(null)}
        />
      )}
      <div ref={area} data-view-area tabIndex={-1} className="outline-none relative flex min-h-0 flex-1">
        <FoundMap {...{ source, totalLogs, reader, area }} finder={find.finder} filter={query} />
        {find.around(
          query !== null ? (
            <FilteredList
              key={filterKey}
              {...shared}
              {...{ source, query, start }}
              List={EntryList}
              onCount={setFound}
            />
          ) : (
            <EntryList
              key=""
              {...shared}
              source={all}
              start={typeof start === "number" ? Math.min(start, totalLogs) - 1 : start}
            />
          ),
        )}
        {find.bar}
      </div>
    </div>
  );
}
