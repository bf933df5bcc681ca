"use client";

import { cn } from "#components/ui/class-names.ts";
import { formatRelative } from "./format-time.ts";
import { useClock, useIsInBrowser } from "./use-clock.ts";

const exactFormat: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "long" };

/** A moment as `3h ago`, kept true while it is shown; the exact time, in the reader's zone, on hover. Null shows a dash. */
export function RelativeTime({ at, className }: { at: string | null | undefined; className?: string }) {
  const atMs = at ? Date.parse(at) : Number.NaN;
  const text = useClock((nowMs) => (Number.isNaN(atMs) ? "–" : formatRelative(atMs, nowMs)));
  const isInBrowser = useIsInBrowser();
  if (!at || Number.isNaN(atMs)) return <span className={className}>–</span>;
  return (
    <time
      dateTime={at}
      title={isInBrowser ? new Date(atMs).toLocaleString(undefined, exactFormat) : undefined}
      className={cn("whitespace-nowrap tabular-nums", className)}
      // The server's clock may be a second behind the browser's.
      suppressHydrationWarning
    >
      {text}
    </time>
  );
}
