"use client";

import { formatDuration } from "#components/shell/format-time.ts";
import { useClock } from "#components/shell/use-clock.ts";
import { cn } from "#components/ui/class-names.ts";
import type { Run } from "#lib/contract/run.ts";
import { elapsedMsOf, runTimeOf } from "./run-time.ts";

/** Time elapsed since an instant in ISO 8601; it moves with the clock. */
export function TimeSince({ at }: { at: string }) {
  return <Time doneMs={0} since={Date.parse(at)} />;
}

/** Time that a run has been at work; a dash before its start. */
export function Duration({ run, className }: { run: Run; className?: string }) {
  const time = runTimeOf(run);
  const elapsedMs = elapsedMsOf(run);
  if (time === null) return <span className={className}>–</span>;
  const title = elapsedMs === null ? undefined : `${formatDuration(elapsedMs, { precise: true })} from start to end`;
  return <Time {...time} className={className} title={title} />;
}

type TimeProps = { doneMs: number; since: number | null; className?: string | undefined; title?: string | undefined };

function Time({ doneMs, since, className, title }: TimeProps) {
  const isRunning = since !== null && !Number.isNaN(since);
  const text = useClock(
    (nowMs) => (isRunning ? formatDuration(doneMs + nowMs - since) : formatDuration(doneMs, { precise: true })),
    isRunning,
  );
  return (
    // The server's clock may be a second behind the browser's.
    <span suppressHydrationWarning title={title} className={cn("whitespace-nowrap tabular-nums", className)}>
      {text}
    </span>
  );
}
