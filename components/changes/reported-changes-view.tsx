"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronRight, FileDiff } from "lucide-react";
import { useMemo, useState } from "react";
import { formatCount, formatCountOf } from "#components/shell/format-number.ts";
import { Loading } from "#components/shell/loading.tsx";
import { DiffCounts } from "#components/text/diff-counts.tsx";
import { DiffLayoutSwitch } from "#components/text/diff-layout-switch.tsx";
import { DiffView } from "#components/text/diff-view.tsx";
import { VisibleText } from "#components/text/visible-text.tsx";
import { outcomeLooks } from "#components/trace/entry/parts/outcome-look.ts";
import { StepLink } from "#components/trace/reader/step-link.tsx";
import { Alert, AlertDescription, AlertTitle, ErrorAlert } from "#components/ui/alert.tsx";
import { cn } from "#components/ui/class-names.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { describeError } from "#lib/client/client-error.ts";
import { isLive } from "#lib/client/live/is-live.ts";
import { useReadAgain } from "#lib/client/live/use-read-again.ts";
import { reportedEditsMax, reportedEditsQuery } from "#lib/client/pages/reported-edits-query.ts";
import type { TraceSource } from "#lib/client/pages/trace-source.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import {
  commonFolderOf,
  isApplied,
  type ReportedEdit,
  type ReportedFile,
  reportedFilesOf,
} from "./reported-changes.ts";

type ReportedChangesProps = { source: TraceSource; run: Run; totalLogs: number; isShown: boolean };

/** Interval between readings of a growing run. */
const readAgainMs = 2000;
/** With more files than this, all are closed at first. */
const openFilesMax = 10;

/** Edits reported by the steps of an external run, file by file. Changes made by its commands are unknown. */
export function ReportedChanges({ source, run, totalLogs, isShown }: ReportedChangesProps) {
  const answer = useQuery({ ...reportedEditsQuery(source, totalLogs), enabled: isShown });
  const { data, error, refetch, isPending } = answer;
  const isDue = isShown && !answer.isFetching && !answer.isError && data !== undefined && data.totalLogs < totalLogs;
  useReadAgain(answer, isDue, readAgainMs);
  const entries = data?.entries;
  const files = useMemo(() => (entries === undefined ? null : reportedFilesOf(entries)), [entries]);
  if (files === null || data === undefined) {
    if (isPending) return <Loading label="Loading the changes" className="p-0" />;
    return (
      <ErrorAlert title="The changes could not be loaded" {...describeError(error)} onRetry={() => void refetch()} />
    );
  }
  if (files.length === 0) {
    return (
      <EmptyState
        icon={<FileDiff />}
        title="No edits reported"
        description={
          isLive(run)
            ? "No step has reported a file edit so far."
            : "No step reports a file edit. Changes made by commands are not known here."
        }
      />
    );
  }
  const folder = commonFolderOf(files.map(({ path }) => path));
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const removed = files.reduce((sum, file) => sum + file.removed, 0);
  const failed = files.reduce((sum, { edits }) => sum + edits.filter(({ outcome }) => !isApplied(outcome)).length, 0);
  return (
    <>
      {error !== null && (
        <ErrorAlert
          title="Later changes could not be loaded"
          {...describeError(error)}
          onRetry={() => void refetch()}
        />
      )}
      <section aria-label="Edited files" className="@container/diff grid grid-cols-1 gap-3">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="font-medium">{formatCountOf(files.length, "file")} edited</h2>
          <DiffCounts added={added} removed={removed} />
          {failed > 0 && (
            <span className="text-[13px] text-status-failed tabular-nums">
              {formatCountOf(failed, "edit")} not applied
            </span>
          )}
          {folder !== "" && (
            <span className="min-w-0 truncate text-[13px] text-muted-foreground" title={folder}>
              in <code>{folder}</code>
            </span>
          )}
          <DiffLayoutSwitch className="-my-1.5 ml-auto" />
        </div>
        <Alert>
          <AlertTitle>As reported by the steps</AlertTitle>
          <AlertDescription>
            Another system ran the agent, so there is no diff of its checkout. These are the edits its steps report, in
            order; changes made by commands are not included.
            {data.isCut && ` Only the first ${formatCount(reportedEditsMax)} are shown.`}
          </AlertDescription>
        </Alert>
      </section>
      {files.map((file) => (
        <ReportedFileView key={file.path} {...{ file, folder }} isOpenAtFirst={files.length <= openFilesMax} />
      ))}
    </>
  );
}

type ReportedFileViewProps = {
  file: ReportedFile;
  /** The folder left out of the name. */
  folder: string;
  isOpenAtFirst: boolean;
};

function ReportedFileView({ file, folder, isOpenAtFirst }: ReportedFileViewProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const { path, status, edits, added, removed } = file;
  return (
    <section className="min-w-0 overflow-hidden rounded-md border border-border bg-card" aria-label={path}>
      <button
        type="button"
        className="flex w-full flex-wrap items-center gap-x-2 px-2 py-1.5 text-left hover:bg-accent focus-visible:-outline-offset-2"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight aria-hidden className={cn("size-4 shrink-0 text-muted-foreground", isOpen && "rotate-90")} />
        <span className="min-w-0 flex-1 basis-52 font-mono text-[13px] [overflow-wrap:anywhere]" title={path}>
          <VisibleText text={path.slice(folder.length)} />
        </span>
        {status !== "modified" && <span className="text-muted-foreground text-xs">{status}</span>}
        <span className="text-muted-foreground text-xs tabular-nums">{formatCountOf(edits.length, "edit")}</span>
        <DiffCounts added={added} removed={removed} />
      </button>
      {isOpen && edits.map((edit) => <EditView key={edit.key} {...{ edit, path }} />)}
    </section>
  );
}

type EditViewProps = { edit: ReportedEdit; path: string };

function EditView({ edit: { seq, outcome, source }, path }: EditViewProps) {
  const { icon: Icon, word, color } = outcomeLooks[outcome];
  return (
    <div className="border-border border-t">
      <p className="flex items-center gap-2 px-3 py-1 text-[13px] text-muted-foreground">
        <StepLink seq={seq}>Step #{seq}</StepLink>
        {!isApplied(outcome) && (
          <span className={cn("flex items-center gap-1", color)}>
            <Icon aria-hidden className="size-3.5" />
            {word}, not applied
          </span>
        )}
      </p>
      <div className="bg-code">
        <DiffView source={source} path={path} head={40} />
      </div>
    </div>
  );
}
