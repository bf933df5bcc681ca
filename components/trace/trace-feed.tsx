"use client";

import { type ReactNode, type RefObject, useCallback, useMemo, useRef, useState } from "react";
import { isLive } from "#lib/client/is-live.ts";
import type { TraceSource } from "#lib/client/trace-source.ts";
import type { RunTail } from "#lib/client/use-run-tail.ts";
import type { LogEntry } from "#lib/contract/entry.ts";
import type { Run } from "#lib/contract/run.ts";
import { EntryList } from "./entry-list.tsx";
import { filterQueryOf } from "./filter/filter-query.ts";
import { noTraceFilter, type TraceFilter, traceFilterKey } from "./filter/trace-filter.ts";
import { useRunFind } from "./find/use-run-find.tsx";
import { allFolded, revealPlace } from "./group/folding.ts";
import { FilteredList, FilterRow, HiddenEntry, InFlight, Minimap, RunEnd } from "./later-parts.tsx";
import type { VirtualFeedHandle } from "./list/virtual-feed.tsx";
import { allPlaces } from "./list-places.ts";
import { type Opening, openingOf, parseEntry } from "./log-windows.ts";
import { useFindError } from "./use-find-error.ts";
import { useListStart } from "./use-list-start.ts";
import { useAllEntries, useEndAtHand } from "./use-log-windows.ts";
import type { usePageSearch } from "./use-page-search.ts";
import { useReadingPlace } from "./use-reading-place.ts";
import { useToolCallLink } from "./use-tool-call-link.ts";

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
  /** What stands under the last step instead of how the run ended. */
  end?: ReactNode;
};

/** The steps of a run beside their map: read in windows around the view, growing while the run goes on. */
export function TraceFeed({ source, run, tail, opening, search, feed, mayResume, header, end }: TraceFeedProps) {
  const { totalLogs, recent, progress } = tail;
  const { show, filter } = search;
  const marked = parseEntry(search.entry);
  const mark = useCallback((seq: number) => show({ entry: String(seq) }, "replace"), [show]);
  const area = useRef<HTMLDivElement>(null);
  const passing = useRef<VirtualFeedHandle>(null);
  const [isFilterOpen, setFilterOpen] = useState(false);
  const [folding, setFolding] = useState(() => (marked === null ? allFolded : revealPlace(allFolded, marked - 1)));
  const { place, onAtEndChange } = useReadingPlace(feed, area);
  const filterKey = traceFilterKey(filter);
  const isFiltered = filterKey !== "";
  const query = useMemo(() => (isFiltered ? filterQueryOf(filter) : null), [isFiltered, filter]);
  // Where another view was opened first, the address has come to name an entry since.
  const [opened] = useState(() => (marked === null ? opening : openingOf(marked, isLive(run), totalLogs)));
  const { start, lead } = useListStart({ filterKey, marked, place, passing, opening: opened });
  const isShown = search.tab === "trace";
  const find = useRunFind({ source, totalLogs, feed, area, search, isShown });
  const windowQuery = useAllEntries(source);
  useEndAtHand(windowQuery, totalLogs, isShown && !isLive(run) && !isFiltered);
  const findError = useFindError(source, totalLogs);
  const [hidden, setHidden] = useState<{ seq: number; filterKey: string } | null>(null);
  const [found, setFound] = useState<{ count: number; isComplete: boolean } | null>(null);
  useToolCallLink(source, search);

  const onHidden = useCallback((seq: number) => setHidden({ seq, filterKey }), [filterKey]);
  const onFilter = useCallback((next: TraceFilter) => show({ filter: next }, "push"), [show]);
  const onClear = useCallback(() => onFilter(noTraceFilter), [onFilter]);
  const onShowAll = useCallback(
    (seq: number) => {
      setFolding((before) => revealPlace(before, seq - 1));
      lead(seq);
      show({ filter: noTraceFilter, entry: String(seq) }, "push");
    },
    [show, lead],
  );
  const onFoldAll = () => setFolding(({ areOpen }) => ({ ...allFolded, areOpen: !areOpen }));
  const footer = (last: LogEntry | null) =>
    isLive(run) ? (
      <InFlight
        status={run.status}
        progress={progress}
        lastEntry={recent.at(-1) ?? last}
        hasQuestion={run.question !== null}
      />
    ) : (
      (end ?? <RunEnd run={run} totalLogs={totalLogs} mayResume={mayResume} />)
    );
  const shared = {
    ...{ totalLogs, marked, folding, header, footer, onAtEndChange, onFoldAll, passing },
    ref: feed,
    isLive: isLive(run),
    onMark: mark,
    onHidden,
    onFolding: setFolding,
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
        <HiddenEntry seq={hidden.seq} onShow={() => onShowAll(hidden.seq)} onClose={() => setHidden(null)} />
      )}
      <div ref={area} data-view-area className="relative flex min-h-0 flex-1">
        <Minimap {...{ source, totalLogs, area }} feed={passing} marks={find.marks} filter={query} />
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
