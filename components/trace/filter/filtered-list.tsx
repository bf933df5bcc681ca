"use client";

import { useQuery } from "@tanstack/react-query";
import { SearchX } from "lucide-react";
import { useCallback, useEffect } from "react";
import { EntryList, type EntryListProps } from "#components/trace/entry-list.tsx";
import { placeFrom } from "#components/trace/list-places.ts";
import { clipCharacters, windowSize } from "#components/trace/log-windows.ts";
import type { ReadingPlace } from "#components/trace/reader/place.ts";
import { useFindError } from "#components/trace/use-find-error.ts";
import { Button } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { describeError } from "#lib/client/client-error.ts";
import { filteredLogsQuery, filteredPositionQuery, type LogsFilter } from "#lib/client/filtered-log-queries.ts";
import type { TraceSource } from "#lib/client/trace-source.ts";
import type { LogEntry } from "#lib/contract/entry.ts";
import { ProseCard } from "./prose-card.tsx";
import { useFilteredCount } from "./use-filtered-count.ts";
import { useFilteredPlaces } from "./use-filtered-places.ts";

type Given = Omit<EntryListProps, "windowQuery" | "placesOf" | "count" | "start" | "hasGroups" | "findError">;

type FilteredListProps = Omit<Given, "recent" | "renderCard"> & {
  source: TraceSource;
  /** Give another `key` to show another filter. */
  query: LogsFilter;
  /** Cards show only what was said. */
  isProse: boolean;
  start: ReadingPlace;
  onClear: () => void;
  /** Goes to an entry in the list of all. */
  onShowAll: (seq: number) => void;
  /** To be told how many entries the filter leaves, and whether that is certain. */
  onCount: (found: { count: number; isComplete: boolean }) => void;
};

/** The entries that a filter leaves: the same list over other places, which the server knows. */
export function FilteredList(props: FilteredListProps) {
  const { source, query, isProse, start, onClear, onShowAll, onCount, ...given } = props;
  const { found, error, retry } = useFilteredCount(source, query, given.totalLogs);
  const opening = useOpening(source, query, start);
  const { marked, reader } = given;
  useEffect(() => {
    if (found !== null) onCount({ count: found.count, isComplete: found.isComplete });
  }, [found, onCount]);
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
  return (
    <Ready
      {...given}
      {...{ source, query, isProse, onShowAll, onClear }}
      isComplete={found.isComplete}
      count={found.count}
      start={place ?? (start === "end" ? "end" : "start")}
    />
  );
}

type ReadyProps = Omit<Given, "recent" | "renderCard"> & {
  source: TraceSource;
  query: LogsFilter;
  isProse: boolean;
  isComplete: boolean;
  count: number;
  start: EntryListProps["start"];
  onClear: () => void;
  onShowAll: (seq: number) => void;
};

function Ready({ source, query, isProse, isComplete, onClear, onShowAll, ...given }: ReadyProps) {
  const { count, totalLogs, header } = given;
  const windowQuery = useCallback(
    (skip: number) => filteredLogsQuery(source, query, { skip, limit: windowSize, clip: clipCharacters }),
    [source, query],
  );
  const renderProse = useCallback(
    (entry: LogEntry, next: LogEntry | null) => <ProseCard {...{ entry, next, onShowAll }} />,
    [onShowAll],
  );
  const none = (
    <>
      {header}
      <EmptyState
        icon={<SearchX />}
        title={isComplete ? "No steps pass the filter" : "No steps found yet"}
        description={isComplete ? "The run has steps that it hides." : "The text is still being looked for."}
        action={
          <Button variant="outline" onClick={onClear}>
            Show all steps
          </Button>
        }
      />
    </>
  );
  return (
    <EntryList
      {...given}
      {...{ windowQuery }}
      placesOf={useFilteredPlaces(source, query, count)}
      recent={noEntries}
      hasGroups={false}
      growsByAsking
      isCounted={isComplete}
      findError={useFindError(source, totalLogs, query)}
      renderCard={isProse ? renderProse : undefined}
      header={count === 0 ? none : header}
    />
  );
}

const noEntries: readonly LogEntry[] = [];

/** Where the list opens: asked once. */
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
