import { findRunStatusLook } from "#components/runs/run-status-look.ts";
import { formatCountOf } from "#components/shell/format-number.ts";
import { StepLink } from "#components/trace/reader/step-link.tsx";
import { cn } from "#components/ui/class-names.ts";
import type { Analysis } from "#lib/contract/logs/analysis.ts";
import { isEnd } from "#lib/contract/runs/run-end.ts";

/** The run's outcome in words, and its raw counts. */
export function Outcome({ analysis, status }: { analysis: Analysis; status: string }) {
  const { outcome, totals } = analysis;
  const { icon: Icon, color } = findRunStatusLook(status);
  const counts = [
    formatCountOf(totals.calls, "tool call"),
    totals.failed > 0 && `${totals.failed} failed`,
    totals.refused > 0 && `${totals.refused} refused`,
    totals.cancelled > 0 && `${totals.cancelled} cancelled`,
    totals.unanswered > 0 && `${totals.unanswered} without a result`,
    totals.error_entries > 0 && formatCountOf(totals.error_entries, "error"),
    totals.user_messages > 0 && formatCountOf(totals.user_messages, "message"),
  ].filter((part) => part !== false);
  return (
    <div className="grid gap-0.5">
      <p className="flex flex-wrap items-baseline gap-x-2 font-medium text-base/6">
        <Icon aria-hidden className={cn("size-4 shrink-0 self-center", color)} />
        <span>{outcomeWords(analysis, status)}</span>
        {outcome.seq !== null && (
          <span className="font-normal text-[13px]">
            <StepLink seq={outcome.seq} />
          </span>
        )}
      </p>
      <p className="text-[13px] text-muted-foreground tabular-nums">{counts.join(" · ")}</p>
    </div>
  );
}

function outcomeWords({ outcome: { verdict, ended_by } }: Analysis, status: string): string {
  switch (verdict) {
    case null:
      // The log of an ended run is still being read, and its last steps tell how it ended.
      return isEnd(status) ? findRunStatusLook(status).label : "Still working";
    case "answered":
      return "Ended with an answer";
    case "gave_up":
      return "The agent says it did not succeed";
    case "stopped":
      if (ended_by === "person") return "Stopped by a person";
      return ended_by === "limit" ? "Stopped by a limit" : "Stopped by Errand";
    case "broken":
      // Only a log without an end is broken off; a failed run has an end.
      return status === "completed" ? "Ended without an answer" : findRunStatusLook(status).label;
  }
}
