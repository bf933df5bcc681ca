"use client";

import { useQuery } from "@tanstack/react-query";
import { type Ref, useEffect, useMemo, useRef } from "react";
import { useOrganization } from "#components/session/session.tsx";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/class-names.ts";
import { describeError } from "#lib/client/client-error.ts";
import { agentsQuery, repositoriesQuery } from "#lib/client/pages/queries.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { RunRow, runColumns } from "./run-row.tsx";
import type { RunsList } from "./use-runs-list.ts";

/** Distance below the window at which the next page is requested. */
const AHEAD = "800px";

type RunRowsProps = { list: RunsList & { runs: Run[] }; ref: Ref<HTMLUListElement> };

/** The rows, and the end of the list. */
export function RunRows({ list, ref }: RunRowsProps) {
  const { id: orgId } = useOrganization();
  // The lists of the filters above: an agent or repository that is not among them is shown as in the run.
  const agents = useQuery(agentsQuery(orgId)).data?.items;
  const repositories = useQuery(repositoriesQuery(orgId)).data?.items;
  const titles = useMemo(() => new Map(agents?.map(({ id, title }) => [id, title])), [agents]);
  const branches = useMemo(
    () => new Map(repositories?.map(({ id, default_branch }) => [id, default_branch])),
    [repositories],
  );
  return (
    <div className={cn("transition-opacity", list.isStale && "opacity-60")} aria-busy={list.isStale}>
      <div
        aria-hidden
        className={cn(runColumns, "sticky top-0 z-1 hidden h-8 bg-background text-muted-foreground text-xs md:grid")}
      >
        <span />
        <span>Prompt</span>
        <span>Repository</span>
        <span className="max-xl:hidden">Agent</span>
        <span className="max-xl:hidden">Person</span>
        <span className="text-right">Steps</span>
        <span className="text-right">Duration</span>
        <span className="text-right max-xl:hidden">Cost</span>
        <span className="text-right">Started</span>
      </div>
      <ul ref={ref} aria-label="Runs" className="border-border border-t">
        {list.runs.map((run) => (
          <RunRow
            key={run.id}
            run={run}
            agent={titles.get(run.agent) ?? run.agent}
            defaultBranch={(run.repo_id === null ? null : branches.get(run.repo_id)) ?? null}
          />
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
