"use client";

import { cn } from "#components/ui/class-names.ts";
import { formatDuration } from "./format-time.ts";
import { useClock } from "./use-clock.ts";

type ElapsedTimeProps = {
  doneMs?: number;
  since: number | null;
  className?: string | undefined;
  title?: string | undefined;
};

/** `doneMs` and the time since an instant in ms, which moves with the clock; without an instant, `doneMs` exactly. */
export function ElapsedTime({ doneMs = 0, since, className, title }: ElapsedTimeProps) {
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
