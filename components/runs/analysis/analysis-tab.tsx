"use client";

import { Microscope } from "lucide-react";
import { formatCount, formatCountOf } from "#components/shell/format-number.ts";
import { Loading } from "#components/shell/loading.tsx";
import { VisibleText } from "#components/text/visible-text.tsx";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { cn } from "#components/ui/class-names.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { scrolledByKeyboard } from "#components/ui/scrolled-by-keyboard.ts";
import { describeError } from "#lib/client/client-error.ts";
import { isLive } from "#lib/client/live/is-live.ts";
import type { Analysis } from "#lib/contract/logs/analysis.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { AnalyzeMenu } from "./analyze-menu.tsx";
import { AnalyzedBy } from "./analyzed-by.tsx";
import { Causes } from "./causes.tsx";
import { Files, Phases, Slowest, Tools } from "./figures.tsx";
import { Outcome } from "./outcome.tsx";
import { ErrorClusters, Repeats, Waste } from "./problems.tsx";
import { Section } from "./section.tsx";
import { Tests } from "./tests.tsx";
import { useAnalysis } from "./use-analysis.ts";

export type AnalysisTabProps = {
  orgId: number;
  run: Run;
  totalLogs: number;
  isShown: boolean;
  /** Reason this person may not start a run, or null. */
  refusal: string | null;
};

/** Findings about a run's log, made by rules; each links to its step. Grows with the run. */
export default function AnalysisTab({ orgId, run, totalLogs, isShown, refusal }: AnalysisTabProps) {
  const { data, error, refetch } = useAnalysis({ orgId, runId: run.id, status: run.status, totalLogs, isShown });
  return (
    <div className="min-h-0 min-w-0 flex-1 overflow-y-auto" {...scrolledByKeyboard}>
      <div className="mx-auto grid max-w-[1080px] gap-6 px-4 py-4">
        {totalLogs === 0 ? (
          <EmptyState
            icon={<Microscope />}
            title="No steps yet"
            description="The analysis appears with the first step of the run."
          />
        ) : data !== undefined ? (
          <>
            <div className="flex flex-wrap items-start justify-between gap-3">
              <Outcome analysis={data} status={run.status} />
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <AnalyzedBy runs={data.analysed_by} />
                <AnalyzeMenu orgId={orgId} runId={run.id} refusal={refusal} />
              </div>
            </div>
            <Findings analysis={data} isLive={isLive(run)} />
          </>
        ) : error !== null ? (
          <ErrorAlert
            title="The analysis could not be loaded"
            {...describeError(error)}
            onRetry={() => void refetch()}
          />
        ) : (
          <Loading label="Loading the analysis" className="p-0" />
        )}
      </div>
    </div>
  );
}

function Findings({ analysis, isLive: isStillLive }: { analysis: Analysis; isLive: boolean }) {
  const { analysed, entries, causes, tests, errors, repeats, waste, slowest, files, tools, phases, limits, counts } =
    analysis;
  return (
    <>
      {analysis.partial && (
        <p className="-mt-4 text-[13px] text-muted-foreground tabular-nums">
          {analysed < entries
            ? `Partial: ${formatCount(analysed)} of ${formatCountOf(entries, "step")} read so far.`
            : isStillLive
              ? `So far: the first ${analysed === 1 ? "step" : formatCountOf(analysed, "step")}. The run is still working.`
              : "Partial: the newest steps are being read."}
        </p>
      )}
      {causes.length > 0 && <Causes causes={causes} outcome={analysis.outcome} />}
      {tests.runs.length > 0 && <Tests analysis={analysis} />}
      {errors.length > 0 && <ErrorClusters errors={errors} count={counts.errors} />}
      {repeats.length > 0 && <Repeats repeats={repeats} count={counts.repeats} />}
      {waste.items.length > 0 && <Waste waste={waste} count={counts.waste} />}
      {files.length > 0 && <Files files={files} count={counts.files} />}
      <div className={cn("grid gap-6", slowest.length > 0 && "md:grid-cols-2")}>
        {slowest.length > 0 && <Slowest slowest={slowest} />}
        {tools.length > 0 && <Tools tools={tools} count={counts.tools} />}
      </div>
      {phases.length > 0 && <Phases phases={phases} count={counts.phases} />}
      {limits.length > 0 && (
        <Section title="What the log does not show">
          <ul className="grid list-disc gap-0.5 pl-5 text-[13px] text-muted-foreground">
            {limits.map((limit) => (
              <li key={limit} className="[overflow-wrap:anywhere]">
                <VisibleText text={limit} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}
