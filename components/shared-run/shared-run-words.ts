import { findRunStatusLook } from "#components/runs/run-status-look.ts";
import { formatCountOf } from "#components/shell/format-number.ts";
import { formatDuration } from "#components/shell/format-time.ts";
import type { SharedRun } from "#lib/contract/shared-run.ts";

/** One-line description of a shared run, for link previews: `Agent run (steps): completed after 3m 10s, 12 steps`. */
export function sharedRunWords(run: Pick<SharedRun, "agent" | "status" | "started_at" | "finished_at" | "total_logs">) {
  const { started_at: from, finished_at: to } = run;
  const length = from === null || to === null ? "" : ` after ${formatDuration(Date.parse(to) - Date.parse(from))}`;
  const status = findRunStatusLook(run.status).label.toLowerCase();
  return `Agent run (${run.agent}): ${status}${length}, ${formatCountOf(run.total_logs, "step")}`;
}
