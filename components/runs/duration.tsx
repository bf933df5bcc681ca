"use client";

import { formatDuration } from "#components/shell/format-time.ts";
import { useClock } from "#components/shell/use-clock.ts";
import { cn } from "#components/ui/class-names.ts";

type DurationProps = {
  /** ISO 8601; null for a run that has not started, shown as a dash. */
  startedAt: string | null | undefined;
  /** ISO 8601; null while it is running: then the figure moves with the clock. */
  finishedAt: string | null | undefined;
  className?: string;
};

/** How long something took, or has taken so far. */
export function Duration({ startedAt, finishedAt, className }: DurationProps) {
  const startMs = startedAt ? Date.parse(startedAt) : Number.NaN;
  const endMs = finishedAt ? Date.parse(finishedAt) : null;
  const isRunning = endMs === null && !Number.isNaN(startMs);
  const text = useClock(
    (nowMs) => (Number.isNaN(startMs) ? "–" : formatDuration((endMs ?? nowMs) - startMs)),
    isRunning,
  );
  return (
    // The server's clock may be a second behind the browser's.
    <span suppressHydrationWarning className={cn("whitespace-nowrap tabular-nums", className)}>
      {text}
    </span>
  );
}
