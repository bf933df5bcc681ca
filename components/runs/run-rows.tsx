"use client";

import { type Ref, useEffect, useRef } from "react";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/class-names.ts";
import { describeError } from "#lib/client/client-error.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { RunRow, runColumns } from "./run-row.tsx";
import type { RunsList } from "./use-runs-list.ts";

/** Distance below the window at which the next page is requested. */
const AHEAD = "800px";

type RunRowsProps = { list: RunsList & { runs: Run[] }; ref: Ref<HTMLUListElement> };

/** The rows, and the end of the list. */
export function RunRows({ list, ref }: RunRowsProps) {
  return (
    <div className={cn("transition-opacity", list.isStale && "opacity-60")} aria-busy={list.isStale}>
      <div aria-hidden className={cn(runColumns, "hidden h-8 text-muted-foreground text-xs md:grid")}>
        <span />
        <span>Prompt</span>
        <span>Repository</span>
        <span className="max-lg:hidden">Agent</span>
        <span className="max-xl:hidden">Person</span>
        <span className="text-right">Steps</span>
        <span className="text-right">Duration</span>
        <span className="text-right max-xl:hidden">Cost</span>
        <span className="text-right">Started</span>
      </div>
      <ul ref={ref} aria-label="Runs" className="border-border border-t">
        {list.runs.map((run) => (
          <RunRow key={run.id} run={run} />
        ))}
      </ul>
      {list.error !== null ? (
        <ErrorAlert
          title="The rest could not be loaded"
          {...describeError(list.error)}
          onRetry={list.retry}
          className="mt-4"
        />
      ) : (
        list.updateError !== null && (
          <ErrorAlert
            title="The list could not be updated"
            {...describeError(list.updateError)}
            onRetry={list.update}
            className="mt-4"
          />
        )
      )}
      {list.hasMore && <More list={list} />}
    </div>
  );
}

function More({ list: { isLoadingMore, loadMore, error } }: { list: RunsList }) {
  const place = useRef<HTMLDivElement>(null);
  const load = useRef(loadMore);
  useEffect(() => {
    load.current = loadMore;
  });
  useEffect(() => {
    const { current } = place;
    // After an error a person decides; otherwise a failing server would be asked endlessly. While a page is loading, the end is
    // not observed; observing it again reports at once whether it is still in view.
    if (current === null || isLoadingMore || error !== null) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) load.current();
      },
      { rootMargin: AHEAD },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [isLoadingMore, error]);
  return (
    <div ref={place} className="flex justify-center py-4">
      <Button variant="outline" pending={isLoadingMore} onClick={loadMore}>
        {isLoadingMore ? "Loading more" : "Show more"}
      </Button>
    </div>
  );
}
