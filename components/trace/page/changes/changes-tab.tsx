"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { FileDiff } from "lucide-react";
import { useEffect, useMemo, useRef } from "react";
import { formatCount, formatCountOf } from "#components/shell/format-number.ts";
import { Loading } from "#components/shell/loading.tsx";
import { DiffCounts } from "#components/text/diff-counts.tsx";
import { DiffLayoutSwitch } from "#components/text/diff-layout-switch.tsx";
import { PatchFileView } from "#components/text/patch-view.tsx";
import { VisibleText } from "#components/text/visible-text.tsx";
import { Alert, AlertDescription, AlertTitle, ErrorAlert } from "#components/ui/alert.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { scrolledByKeyboard } from "#components/ui/scrolled-by-keyboard.ts";
import { describeError } from "#lib/client/client-error.ts";
import { isLive } from "#lib/client/is-live.ts";
import { diffQuery } from "#lib/client/run-queries.ts";
import type { TraceSource } from "#lib/client/trace-source.ts";
import { externalAgent } from "#lib/contract/agent-ids.ts";
import type { Run } from "#lib/contract/run.ts";
import { type PatchFile, parsePatch, pathOf } from "#lib/entry/patch.ts";
import { ReportedChanges } from "./reported-changes-view.tsx";
import { UseWork } from "./use-work.tsx";
import { useViewedFiles } from "./viewed-files.ts";

type SummaryProps = { orgId: number; run: Run; origin: string };

type ChangesTabProps = SummaryProps & { source: TraceSource; totalLogs: number };

/** One file of the diff, and its anchor on the page. */
type ChangedFile = { id: string; file: PatchFile };

/** With more files than this, each is closed at first. */
const openFilesMax = 20;
const noFiles: readonly PatchFile[] = [];

/** The run's changes against its base: the files with their counts, then the diff of each. */
export function ChangesTab({ orgId, run, origin, source, totalLogs }: ChangesTabProps) {
  const { data, error, refetch, isPending } = useQuery(diffQuery(orgId, run.id));
  useReadAgain(orgId, run);
  const patch = useMemo(() => (data === undefined ? null : parsePatch(data)), [data]);
  const changed = useMemo(
    () => (patch?.files ?? []).map((file, index) => ({ id: `changed-file-${index + 1}`, file })),
    [patch],
  );
  const { viewed, setViewed } = useViewedFiles(run.id, patch?.files ?? noFiles);
  const isExternal = run.agent === externalAgent;
  return (
    <div className="relative min-h-0 min-w-0 flex-1 overflow-y-auto" {...scrolledByKeyboard}>
      <div className="mx-auto grid max-w-[1080px] grid-cols-1 gap-4 px-4 py-4">
        {error !== null && patch === null && (
          <ErrorAlert
            title="The changes could not be loaded"
            {...describeError(error)}
            onRetry={() => void refetch()}
          />
        )}
        {isPending && <Loading label="Loading the changes" className="p-0" />}
        {patch !== null && patch.files.length === 0 && isExternal && (
          <ReportedChanges {...{ source, run, totalLogs }} />
        )}
        {patch !== null && patch.files.length === 0 && !isExternal && (
          <EmptyState
            icon={<FileDiff />}
            title="No changes"
            description={
              isLive(run)
                ? "The run's changes are saved at the end of each turn and shown here."
                : "The run ended without changing any files."
            }
          />
        )}
        {patch !== null && patch.files.length > 0 && (
          <>
            <Summary orgId={orgId} run={run} origin={origin} changed={changed} viewed={viewed.size} />
            {(run.changes?.truncated === true || patch.isCut) && (
              <Alert variant="warning">
                <AlertTitle>The diff is incomplete</AlertTitle>
                <AlertDescription>
                  It was too large to store or show in full. The branch has everything
                  {run.branch !== null && (
                    <>
                      : <code>{run.branch}</code>
                    </>
                  )}
                  .
                </AlertDescription>
              </Alert>
            )}
            {changed.map(({ id, file }) => (
              <div key={id} id={id} className="scroll-mt-2">
                <PatchFileView
                  file={file}
                  isOpen={changed.length <= openFilesMax}
                  isViewed={viewed.has(file)}
                  onViewed={(isViewed) => setViewed(file, isViewed)}
                />
              </div>
            ))}
          </>
        )}
      </div>
    </div>
  );
}

/** The diff is stored again at the end of each turn. */
function useReadAgain(orgId: number, run: Run): void {
  const client = useQueryClient();
  const version = JSON.stringify([run.changes, run.finished_at]);
  const read = useRef(version);
  useEffect(() => {
    if (read.current === version) return;
    read.current = version;
    void client.invalidateQueries({ queryKey: diffQuery(orgId, run.id).queryKey, exact: true });
  }, [client, orgId, run.id, version]);
}

function Summary({
  orgId,
  run,
  origin,
  changed,
  viewed,
}: SummaryProps & { changed: readonly ChangedFile[]; viewed: number }) {
  const added = changed.reduce((sum, { file }) => sum + file.added, 0);
  const removed = changed.reduce((sum, { file }) => sum + file.removed, 0);
  return (
    <section aria-label="Changed files" className="@container/diff grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="font-medium">{formatCountOf(changed.length, "file")} changed</h2>
        <DiffCounts added={added} removed={removed} />
        {viewed > 0 && (
          <span className="text-[13px] text-muted-foreground tabular-nums">
            {viewed === changed.length ? "all viewed" : `${formatCount(viewed)} viewed`}
          </span>
        )}
        {run.branch !== null && (
          <span className="flex min-w-0 items-center gap-1 text-[13px] text-muted-foreground">
            on <code className="min-w-0 truncate text-foreground">{run.branch}</code>
            <CopyButton text={run.branch} label="Copy branch name" className="-my-1.5" />
          </span>
        )}
        <DiffLayoutSwitch className="-my-1.5 ml-auto" />
      </div>
      <ul className="grid grid-cols-1 rounded-md border border-border">
        {changed.map(({ id, file }) => (
          <li key={id} className="border-border border-b last:border-b-0">
            <a
              href={`#${id}`}
              onClick={(event) => {
                // The address names the tab, so only scroll the page.
                event.preventDefault();
                document.getElementById(id)?.scrollIntoView({ block: "start" });
              }}
              className="flex items-center gap-3 px-3 py-1 hover:bg-accent focus-visible:-outline-offset-2"
            >
              <span className="min-w-0 flex-1 font-mono text-[13px] [overflow-wrap:anywhere]">
                <VisibleText text={pathOf(file)} />
              </span>
              {file.isBinary ? (
                <span className="text-muted-foreground text-xs">binary</span>
              ) : (
                <DiffCounts added={file.added} removed={file.removed} />
              )}
            </a>
          </li>
        ))}
      </ul>
      <UseWork {...{ orgId, run, origin }} />
    </section>
  );
}
