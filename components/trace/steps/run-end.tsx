"use client";

import { findRunStatusLook } from "#components/runs/run-status-look.ts";
import { runTimeOf } from "#components/runs/run-time.ts";
import { formatCountOf } from "#components/shell/format-number.ts";
import { formatDuration } from "#components/shell/format-time.ts";
import { cn } from "#components/ui/class-names.ts";
import type { Run } from "#lib/contract/runs/run.ts";

const next: Record<string, string> = {
  completed: "Send another message below to continue.",
  failed: "Send a message below to try again or take another approach.",
  cancelled: "The work so far is kept. Send a message below to continue.",
  timed_out: "It reached its time limit. Send a message below to continue.",
  max_turns_reached: "The agent reached its limit of requests in one turn. Send a message below to continue.",
  out_of_tokens: "It used up its tokens. Choose another model or add to the budget, then send a message below.",
  interrupted: "Errand was restarted during this run. The work so far is kept: send a message below to continue.",
};

/** Line below the last entry of an ended run: how it ended, its duration, and what can be done next. */
export function RunEnd({ run, totalLogs, mayResume }: { run: Run; totalLogs: number; mayResume: boolean }) {
  const { label, icon: Icon, color } = findRunStatusLook(run.status);
  const lengthMs = run.finished_at === null ? null : (runTimeOf(run)?.doneMs ?? null);
  return (
    <div className="grid gap-1 border-border border-t px-4 pt-4 pb-6 sm:ml-[96px] sm:px-0 sm:pr-4">
      <p className="flex flex-wrap items-center gap-x-2 font-medium">
        <Icon aria-hidden className={cn("size-4 shrink-0", color)} />
        <span>
          {label}
          {lengthMs !== null && ` after ${formatDuration(lengthMs, { precise: true })}`}
        </span>
        <span className="font-normal text-muted-foreground tabular-nums">{formatCountOf(totalLogs, "step")}</span>
      </p>
      {mayResume && next[run.status] !== undefined && <p className="text-muted-foreground">{next[run.status]}</p>}
    </div>
  );
}
