"use client";

import { useQuery } from "@tanstack/react-query";
import { SearchX } from "lucide-react";
import { type ComponentType, useCallback, useEffect } from "react";
import { placeFrom } from "#components/feed/places.ts";
import { clipCharacters, windowSize } from "#components/trace/reader/log-windows.ts";
import type { ReadingPlace } from "#components/trace/reader/place.ts";
import { noTraceFilter } from "#components/trace/reader/trace-filter.ts";
import { useSnapshot } from "#components/trace/reader/use-snapshot.ts";
import { Button } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { describeError } from "#lib/client/client-error.ts";
import { filteredLogsQuery, filteredPositionQuery, type LogsFilter } from "#lib/client/pages/filtered-log-queries.ts";
import type { TraceSource } from "#lib/client/pages/trace-source.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import type { EntryListProps } from "./entry-source.ts";
import { ProseCard } from "./filter/prose-card.tsx";
import { useFilteredCount } from "./filter/use-filtered-count.ts";
import { useFilteredPlaces } from "./filter/use-filtered-places.ts";
import { useFindError } from "./use-find-error.ts";

type Given = Omit<EntryListProps, "source" | "start" | "renderCard">;

type FilteredListProps = Given & {
  /** Component that renders the entries: it is already on the page, and loads this file. */
  List: ComponentType<EntryListProps>;
  source: TraceSource;
  /** Give another `key` to show another filter. */
  query: LogsFilter;
  start: ReadingPlace;
  onCount: (found: QueryCount) => void;
};

/** Number of entries that match the query, and whether it is final. */
export type QueryCount = { query: LogsFilter; count: number; isComplete: boolean };

/** Entries that match a filter: the same list over other positions, which the server knows. */
export function FilteredList(props: FilteredListProps) {
  const { List, source, query, start, onCount, ...given } = props;
  const { found, error, retry } = useFilteredCount(source, query, given.totalLogs);
  const opening = useOpening(source, query, start);
  const { reader } = given;
  const { marked } = useSnapshot(reader);
  useEffect(() => {
    if (found !== null) onCount({ query, count: found.count, isComplete: found.isComplete });
  }, [found, onCount, query]);
  const isMarkHidden = marked === start && opening.data !== undefined && opening.data.seq !== marked;
  useEffect(() => {
    if (isMarkHidden && marked !== null) reader.setHidden(marked);
  }, [isMarkHidden, marked, reader]);

  const failure = error ?? opening.error;
  if (failure !== null) {
    const again = () => (error === null ? void opening.refetch() : retry());
    return (
      <EmptyState
        className="flex-1"
        title="The steps could not be filtered"
        description={describeError(failure).detail}
        action={<Button onClick={again}>Try again</Button>}
      />
    );
  }
  if (found === null || (typeof start === "number" && opening.data === undefined)) return <Waiting />;
  const place = opening.data === undefined || typeof start !== "number" ? null : placeFrom(opening.data, start).index;
  return <Ready {...given} {...{ List, source, query, found }} start={place ?? (start === "end" ? "end" : "start")} />;
}

type ReadyProps = Given & {
  List: ComponentType<EntryListProps>;
  source: TraceSource;
  query: LogsFilter;
  found: { count: number; isComplete: boolean; totalLogs: number };
  start: EntryListProps["start"];
};

function Ready({ List, source, query, found, ...given }: ReadyProps) {
  const { totalLogs, header, reader } = given;
  const { count, isComplete } = found;
  // What prose alone leaves out are tool calls; what other conditions leave out may be anything.
  const countedLogs = query.prose !== undefined && Object.keys(query).length === 1 ? found.totalLogs : null;
  const counted = { count, countedLogs, isCounted: isComplete };
  const windowQuery = useCallback(
    (skip: number) => filteredLogsQuery(source, query, { skip, limit: windowSize, clip: clipCharacters }),
    [source, query],
  );
  const placesOf = useFilteredPlaces(source, query, count);
  const findError = useFindError(source, totalLogs, query);
  const renderProse = useCallback(
    (entry: LogEntry, nextSeq: number | null) => (
      <ProseCard {...{ entry, nextSeq }} onShowAll={(seq) => reader.showAmongAll(seq)} />
    ),
    [reader],
  );
  const none = (
    <>
      {header}
      <EmptyState
        icon={<SearchX />}
        title={isComplete ? "No steps match the filter" : "No steps found yet"}
        description={isComplete ? "The run has steps that the filter hides." : "Still searching for the text."}
        action={
          <Button variant="outline" onClick={() => reader.setFilter(noTraceFilter)}>
            Show all steps
          </Button>
        }
      />
    </>
  );
  return (
    <List
      {...given}
      source={{ windowQuery, placesOf, ...counted, recent: null, hasGroups: false, findError }}
      renderCard={query.prose === undefined ? undefined : renderProse}
      header={count === 0 ? none : header}
    />
  );
}

/** Initial position, determined once. */
function useOpening(source: TraceSource, query: LogsFilter, start: ReadingPlace) {
  const seq = typeof start === "number" ? start : 1;
  return useQuery({
    ...filteredPositionQuery(source, query, seq),
    enabled: typeof start === "number",
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function Waiting() {
  return (
    <div aria-busy className="mx-auto grid w-full max-w-[820px] animate-late content-start gap-4 px-4 pt-4 sm:pl-28">
      <Skeleton className="h-24" />
      <Skeleton className="h-24" />
      <Skeleton className="h-24" />
    </div>
  );
}
