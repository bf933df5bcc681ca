"use client";

import { memo, useMemo } from "react";
import { cn } from "#components/ui/class-names.ts";
import { useIsInBrowser } from "#components/ui/use-is-in-browser.ts";
import { formatRelative } from "./format-time.ts";
import { useClock } from "./use-clock.ts";

type RelativeTimeProps = { at: string | null | undefined; className?: string };

const exactFormat: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "long" };

/** A time as `3h ago` or, older than a day, `19 Nov`, kept up to date; the exact time, in the reader's zone, on hover. Null shows a dash. */
export const RelativeTime = memo(function RelativeTime({ at, className }: RelativeTimeProps) {
  const atMs = at ? Date.parse(at) : Number.NaN;
  const isInBrowser = useIsInBrowser();
  const zone = isInBrowser ? "local" : "utc";
  const text = useClock((nowMs) => (Number.isNaN(atMs) ? "–" : formatRelative(atMs, nowMs, zone)));
  const exact = useMemo(
    () => (isInBrowser && !Number.isNaN(atMs) ? new Date(atMs).toLocaleString(undefined, exactFormat) : undefined),
    [isInBrowser, atMs],
  );
  if (!at || Number.isNaN(atMs)) return <span className={className}>–</span>;
  return (
    <time
      dateTime={at}
      title={exact}
      className={cn("whitespace-nowrap tabular-nums", className)}
      // The server's clock may be a second behind the browser's.
      suppressHydrationWarning
    >
      {text}
    </time>
  );
});
