"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { FileDiff } from "lucide-react";
import { useEffect, useMemo, useRef } from "react";
import { CommandLine } from "#components/page/command-line.tsx";
import { formatCountOf } from "#components/shell/format-number.ts";
import { Loading } from "#components/shell/loading.tsx";
import { Alert, AlertDescription, AlertTitle, ErrorAlert } from "#components/ui/alert.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { describeError } from "#lib/client/client-error.ts";
import { isLive } from "#lib/client/is-live.ts";
import { operationPath } from "#lib/client/request.ts";
import { diffQuery } from "#lib/client/run-queries.ts";
import type { TraceSource } from "#lib/client/trace-source.ts";
import { externalAgent } from "#lib/contract/agent.ts";
import type { Run } from "#lib/contract/run.ts";
import { getDiff } from "#lib/contract/run-operations.ts";
import { type PatchFile, parsePatch, pathOf } from "#lib/entry/patch.ts";
import { ReportedChanges } from "./reported/reported-changes-view.tsx";
import { DiffCounts } from "./text/diff-counts.tsx";
import { DiffLayoutSwitch } from "./text/diff-layout-switch.tsx";
import { PatchFileView } from "./text/patch-view.tsx";
import { VisibleText } from "./text/visible-text.tsx";

type SummaryProps = { orgId: number; run: Run; origin: string };

type ChangesTabProps = SummaryProps & { source: TraceSource; totalLogs: number; onGoTo: (seq: number) => void };

/** One file of the diff, and the name of its place on the page. */
type ChangedFile = { id: string; file: PatchFile };

/** With more files than this, each begins closed. */
const openFilesMax = 20;

/** What the run changed against where it began: the files with their counts, then each as a diff. */
export function ChangesTab({ orgId, run, origin, source, totalLogs, onGoTo }: ChangesTabProps) {
  const { data, error, refetch, isPending } = useQuery(diffQuery(orgId, run.id));
  useReadAgain(orgId, run);
  const patch = useMemo(() => (data === undefined ? null : parsePatch(data)), [data]);
  const changed = useMemo(
    () => (patch?.files ?? []).map((file, index) => ({ id: `changed-file-${index + 1}`, file })),
    [patch],
  );
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
          <ReportedChanges {...{ source, run, totalLogs, onGoTo }} />
        )}
        {patch !== null && patch.files.length === 0 && !isExternal && (
          <EmptyState
            icon={<FileDiff />}
            title="No changes"
            description={
              isLive(run)
                ? "What the run changes is kept at the end of each turn, and shown here then."
                : "The run ended without changing a file."
            }
          />
        )}
        {patch !== null && patch.files.length > 0 && (
          <>
            <Summary orgId={orgId} run={run} origin={origin} changed={changed} />
            {(run.changes?.truncated === true || patch.isCut) && (
              <Alert variant="warning">
                <AlertTitle>Not all of the diff is here</AlertTitle>
                <AlertDescription>
                  It was too large to be kept or shown whole. The branch has everything
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
                <PatchFileView file={file} isOpen={changed.length <= openFilesMax} />
              </div>
            ))}
          </>
        )}
      </div>
    </div>
  );
}

/** What scrolls must be reachable by the keyboard. */
const scrolledByKeyboard = { tabIndex: 0 };

/** The diff is kept anew at the end of each turn. */
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

function Summary({ orgId, run, origin, changed }: SummaryProps & { changed: readonly ChangedFile[] }) {
  const path = operationPath(getDiff, { params: { org_id: orgId, agent_run_id: run.id } });
  const apply = `curl -sS -H "Authorization: Bearer $ERRAND_TOKEN" '${origin}${path}' | git apply`;
  const added = changed.reduce((sum, { file }) => sum + file.added, 0);
  const removed = changed.reduce((sum, { file }) => sum + file.removed, 0);
  return (
    <section aria-label="Changed files" className="@container/diff grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="font-medium">{formatCountOf(changed.length, "file")} changed</h2>
        <DiffCounts added={added} removed={removed} />
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
                // The address names the tab; only the page is scrolled.
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
      <details className="text-[13px]">
        <summary className="w-fit rounded-sm text-muted-foreground hover:text-foreground">
          Apply it to a checkout of yours
        </summary>
        <div className="pt-2">
          <CommandLine command={apply} />
        </div>
      </details>
    </section>
  );
}
