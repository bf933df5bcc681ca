import { findRunStatusLook } from "#components/runs/run-status-look.ts";
import { runTimeOf } from "#components/runs/run-time.ts";
import { formatCountOf } from "#components/shell/format-number.ts";
import { formatDuration } from "#components/shell/format-time.ts";
import type { SharedRun } from "#lib/contract/runs/shared-run.ts";

type ShownField = "agent" | "status" | "started_at" | "finished_at" | "work_ms" | "turn_started_at" | "total_logs";

/** One-line description of a shared run, for link previews: `Agent run (steps): completed after 3m 10s, 12 steps`. */
export function sharedRunWords(run: Pick<SharedRun, ShownField>) {
  const time = run.finished_at === null ? null : runTimeOf(run);
  const length = time === null ? "" : ` after ${formatDuration(time.doneMs, { precise: true })}`;
  const status = findRunStatusLook(run.status).label.toLowerCase();
  return `Agent run (${run.agent}): ${status}${length}, ${formatCountOf(run.total_logs, "step")}`;
}
