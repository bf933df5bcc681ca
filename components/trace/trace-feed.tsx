"use client";

import { type ReactNode, useCallback, useMemo, useRef, useState } from "react";
import { isLive } from "#lib/client/is-live.ts";
import type { TraceSource } from "#lib/client/trace-source.ts";
import type { RunTail } from "#lib/client/use-run-tail.ts";
import type { LogEntry } from "#lib/contract/entry.ts";
import type { Run } from "#lib/contract/run.ts";
import { EntryList } from "./entry-list.tsx";
import { filterQueryOf } from "./filter/filter-query.ts";
import { noTraceFilter, type TraceFilter, traceFilterKey } from "./filter/trace-filter.ts";
import { useRunFind } from "./find/use-run-find.tsx";
import { FilteredList, FilterRow, HiddenEntry, InFlight, Minimap, RunEnd } from "./later-parts.tsx";
import { allPlaces } from "./list-places.ts";
import { openingOf, parseEntry } from "./log-windows.ts";
import type { ReadingPlace } from "./reader/place.ts";
import type { TraceReader } from "./reader/trace-reader.ts";
import { useReading } from "./reader/use-trace-reader.ts";
import { useFindError } from "./use-find-error.ts";
import { useAllEntries, useEndAtHand } from "./use-log-windows.ts";
import type { usePageSearch } from "./use-page-search.ts";
import { useToolCallLink } from "./use-tool-call-link.ts";

type TraceFeedProps = {
  source: TraceSource;
  run: Run;
  tail: Pick<RunTail, "totalLogs" | "recent" | "progress">;
  opening: ReadingPlace;
  search: ReturnType<typeof usePageSearch>;
  reader: TraceReader;
  mayResume: boolean;
  /** Scrolled with the steps, above the first one. */
  header: ReactNode;
  /** What stands under the last step instead of how the run ended. */
  end?: ReactNode;
};

/** The steps of a run beside their map: read in windows around the view, growing while the run goes on. */
export function TraceFeed({ source, run, tail, opening, search, reader, mayResume, header, end }: TraceFeedProps) {
  const { totalLogs, recent, progress } = tail;
  const { filter } = search;
  const marked = parseEntry(search.entry);
  const area = useRef<HTMLDivElement>(null);
  const [isFilterOpen, setFilterOpen] = useState(false);
  const filterKey = traceFilterKey(filter);
  const isFiltered = filterKey !== "";
  const query = useMemo(() => (isFiltered ? filterQueryOf(filter) : null), [isFiltered, filter]);
  // Where another view was opened first, the address has come to name an entry since.
  const [opens] = useState(() => (marked === null ? opening : openingOf(marked, isLive(run), totalLogs)));
  const { start, folding, hidden } = useReading(reader, {
    address: { entry: marked, filterKey, find: search.find },
    opens,
    area,
  });
  const isShown = search.tab === "trace";
  const find = useRunFind({ source, totalLogs, reader, area, search, isShown });
  const windowQuery = useAllEntries(source);
  useEndAtHand(windowQuery, totalLogs, isShown && !isLive(run) && !isFiltered);
  const findError = useFindError(source, totalLogs);
  const [found, setFound] = useState<{ count: number; isComplete: boolean } | null>(null);
  useToolCallLink(source, search);

  const onFilter = useCallback((next: TraceFilter) => reader.setFilter(next), [reader]);
  const onClear = useCallback(() => onFilter(noTraceFilter), [onFilter]);
  const onShowAll = useCallback((seq: number) => reader.showAmongAll(seq), [reader]);
  const onFoldAll = () => reader.toggleAll();
  const footer = (last: LogEntry | null) =>
    isLive(run) ? (
      <InFlight
        status={run.status}
        // A queued run's prompt stands above the composer, where it can be edited.
        prompt={totalLogs === 0 && run.status !== "queued" ? run.prompt : null}
        progress={progress}
        lastEntry={recent.at(-1) ?? last}
        hasQuestion={run.question !== null}
      />
    ) : (
      (end ?? <RunEnd run={run} totalLogs={totalLogs} mayResume={mayResume} />)
    );
  const shared = {
    ...{ totalLogs, marked, reader, header, footer },
    isLive: isLive(run),
    isShown,
    onAskFilter: () => setFilterOpen(true),
  };
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <FilterRow
        {...{ source, filter, totalLogs, onFilter, onFoldAll }}
        isOpen={isFilterOpen}
        onOpenChange={setFilterOpen}
        found={isFiltered ? found : null}
        areGroupsOpen={isFiltered ? null : folding.areOpen}
      />
      {hidden !== null && hidden.filterKey === filterKey && isFiltered && (
        <HiddenEntry seq={hidden.seq} onShow={() => onShowAll(hidden.seq)} onClose={() => reader.setHidden(null)} />
      )}
      <div ref={area} data-view-area className="relative flex min-h-0 flex-1">
        <Minimap {...{ source, totalLogs, reader, area }} marks={find.marks} filter={query} />
        {find.around(
          query !== null ? (
            <FilteredList
              key={filterKey}
              {...shared}
              {...{ source, query, start, onClear, onShowAll }}
              isProse={filter.isProse}
              onCount={setFound}
            />
          ) : (
            <EntryList
              key=""
              {...shared}
              {...{ recent, windowQuery, findError }}
              placesOf={() => allPlaces(totalLogs)}
              count={totalLogs}
              start={typeof start === "number" ? Math.min(start, totalLogs) - 1 : start}
              hasGroups
            />
          ),
        )}
        {find.bar}
      </div>
    </div>
  );
}
