"use client";

import { ElapsedTime } from "#components/shell/elapsed-time.tsx";
import { formatDuration } from "#components/shell/format-time.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { elapsedMsOf, runTimeOf } from "./run-time.ts";

/** Time that a run has been at work; a dash before its start. */
export function Duration({ run, className }: { run: Run; className?: string }) {
  const time = runTimeOf(run);
  const elapsedMs = elapsedMsOf(run);
  if (time === null) return <span className={className}>–</span>;
  const title = elapsedMs === null ? undefined : `${formatDuration(elapsedMs, { precise: true })} from start to end`;
  return <ElapsedTime {...time} className={className} title={title} />;
}
