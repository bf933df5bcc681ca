"use client";

import { Plus } from "lucide-react";
import { useRef } from "react";
import { DashboardPage } from "#components/page/dashboard-page.tsx";
import { RefusableLink } from "#components/page/refusable-button.tsx";
import { useOrganization, useRefusal } from "#components/session/session.tsx";
import { ErrorState } from "#components/shell/error-state.tsx";
import { formatCount, formatCountOf } from "#components/shell/format-number.ts";
import { Loading } from "#components/shell/loading.tsx";
import { Button } from "#components/ui/button.tsx";
import { describeError } from "#lib/client/client-error.ts";
import { isUnfiltered } from "#lib/client/pages/run-filter.ts";
import { NoRuns, NoRunsMatch } from "./no-runs.tsx";
import { RunFilters } from "./run-filters.tsx";
import { RunRows } from "./run-rows.tsx";
import { useRunFilter } from "./use-run-filter.ts";
import { useRunsKeyboard } from "./use-runs-keyboard.ts";
import { useRunsList } from "./use-runs-list.ts";

/** The organization's runs, newest first; live ones are updated. */
export function RunsPage() {
  const { id: orgId } = useOrganization();
  const { filter, setFilter } = useRunFilter();
  const list = useRunsList(orgId, filter);
  const rows = useRef<HTMLUListElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const refusal = useRefusal("runs:write");
  const newRunHref = filter.repoId === null ? "/runs/new" : `/runs/new?repo_id=${filter.repoId}`;
  useRunsKeyboard(rows, search, newRunHref);

  return (
    <DashboardPage
      title="Runs"
      note={list.total === null ? undefined : formatCount(list.total)}
      actions={
        <RefusableLink href={newRunHref} refusal={refusal}>
          <Plus aria-hidden /> New run
        </RefusableLink>
      }
    >
      <RunFilters orgId={orgId} filter={filter} onChange={setFilter} searchRef={search} />
      {/* New runs are announced here; before that, this takes up no space. */}
      <div role="status" className="sticky top-2 z-10 -mb-4 flex justify-center empty:hidden">
        {list.newCount > 0 && (
          <Button
            size="sm"
            className="rounded-full shadow-md"
            onClick={() => {
              list.showNew();
              window.scrollTo({ top: 0 });
            }}
          >
            {formatCountOf(list.newCount, "new run")}
          </Button>
        )}
      </div>
      <Content list={list} isFiltered={!isUnfiltered(filter)} rows={rows} />
    </DashboardPage>
  );
}

type ContentProps = {
  list: ReturnType<typeof useRunsList>;
  isFiltered: boolean;
  rows: React.RefObject<HTMLUListElement | null>;
};

function Content({ list, isFiltered, rows }: ContentProps) {
  if (list.runs === null) {
    if (list.error === null) return <Loading label="Loading runs" lines={12} className="px-0" />;
    return <ErrorState title="The runs could not be loaded" {...describeError(list.error)} onRetry={list.retry} />;
  }
  if (list.runs.length === 0) return isFiltered ? <NoRunsMatch /> : <NoRuns />;
  return <RunRows list={{ ...list, runs: list.runs }} ref={rows} />;
}
